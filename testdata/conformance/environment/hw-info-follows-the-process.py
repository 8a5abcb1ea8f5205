# MPI_Get_hw_resource_info: a later call tells where the process was relocated to [MPI-5.0 §9.1.2]
# commsplit: -n 4 --topo "pack:2 core:2"
from mpi4py import MPI
from commsplit import bind, expect

me = MPI.COMM_WORLD.Get_rank()
before = MPI.Get_hw_resource_info()
expect(before.Get("hwloc://Core") == "true", "each process has a core")
bind("1", "1-2")
bind("3", "2-3")
after = MPI.Get_hw_resource_info()
expect(after.Get("hwloc://Core") == ("false" if me in [1, 3] else "true"), "two processes use two cores each")
expect(after.Get("hwloc://Package") == ("false" if me == 1 else "true"), "one of them in two packages")
expect(before.Get("hwloc://Core") == "true", "the object of the former call is the caller's")

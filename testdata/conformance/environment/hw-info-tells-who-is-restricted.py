# MPI_Get_hw_resource_info: a value is "true" if the caller is restricted to one instance [MPI-5.0 §9.1.2]
# commsplit: -n 4 --topo "pack:2 core:2" --bind 0,1,1-2,3
from mpi4py import MPI
from commsplit import expect

world = MPI.COMM_WORLD
me = world.Get_rank()
info = MPI.Get_hw_resource_info()
expect(info.Get("hwloc://Package") == ("false" if me == 2 else "true"), "rank 2 uses both packages")
expect(info.Get("hwloc://Core") == ("false" if me == 2 else "true"), "and two cores")
expect(info.Get("hwloc://Machine") == "true", "all are on one machine")
for value in info.values():
    expect(value in ["true", "false"], "nothing else")

# MPI_Get_hw_resource_info: is local, creates an info object, which the user frees [MPI-5.0 §9.1.2]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
from commsplit import expect

world = MPI.COMM_WORLD
me = world.Get_rank()
if me == 0:
    info = MPI.Get_hw_resource_info()
    again = MPI.Get_hw_resource_info()
    info.Set("hwloc://Core", "changed")
    expect(again.Get("hwloc://Core") != "changed", "two objects")
    info.Free()
    expect(info == MPI.INFO_NULL, "freed")

# MPI_Comm_get_info: gives a new info object also for a communicator without hints [MPI-5.0 §7.4.4]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
from commsplit import expect, expect_error

world = MPI.COMM_WORLD
me = world.Get_rank()
part = world.Split(0, me)
first = part.Get_info()
second = part.Get_info()
expect(first != MPI.INFO_NULL and first != second, "two objects")
first.Free()
second.Free()
expect_error(MPI.ERR_COMM, MPI.COMM_NULL.Get_info)

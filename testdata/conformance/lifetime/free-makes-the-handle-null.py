# MPI_Comm_free: marks the communicator for deallocation; the handle becomes MPI_COMM_NULL [MPI-5.0 §7.4.3]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
from commsplit import expect, expect_error

world = MPI.COMM_WORLD
me = world.Get_rank()
part = world.Split(0, me)
part.Free()
expect(part == MPI.COMM_NULL, "the handle is null")
expect_error(MPI.ERR_COMM, part.Get_size)
expect_error(MPI.ERR_COMM, part.Split, 0)
expect_error(MPI.ERR_COMM, part.Free)

# MPI_Comm_free: handles that stand for no object are null [MPI-5.0 §2.5.4]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
from commsplit import expect, expect_error

world = MPI.COMM_WORLD
me = world.Get_rank()
expect(MPI.Comm() == MPI.COMM_NULL)
expect(MPI.Intracomm() == MPI.COMM_NULL)
expect(MPI.Group() == MPI.GROUP_NULL)
expect(MPI.Request() == MPI.REQUEST_NULL)
expect(MPI.Info() == MPI.INFO_NULL)
expect(MPI.Errhandler() == MPI.ERRHANDLER_NULL)
expect(MPI.Message() == MPI.MESSAGE_NULL)
expect(MPI.Op() == MPI.OP_NULL)
expect_error(MPI.ERR_COMM, MPI.Intracomm().Dup)
expect_error(MPI.ERR_GROUP, MPI.Group().Get_size)

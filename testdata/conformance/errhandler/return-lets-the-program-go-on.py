# MPI_Comm_set_errhandler: with MPI_ERRORS_RETURN a call reports its error and the program goes on [MPI-5.0 §9.3]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
from commsplit import expect, expect_error

world = MPI.COMM_WORLD
me = world.Get_rank()
part = world.Split(0, me)
part.Set_errhandler(MPI.ERRORS_RETURN)
expect_error(MPI.ERR_ROOT, part.bcast, 1, 7)
expect_error(MPI.ERR_ARG, part.Split, -1)
expect(part.allreduce(1) == 2, "the communicator still works")

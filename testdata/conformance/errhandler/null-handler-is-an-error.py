# MPI_Comm_set_errhandler: MPI_ERRHANDLER_NULL is not an error handler, MPI_ERR_ERRHANDLER [MPI-5.0 §9.4]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
from commsplit import expect, expect_error

world = MPI.COMM_WORLD
expect_error(MPI.ERR_ERRHANDLER, world.Set_errhandler, MPI.ERRHANDLER_NULL)
expect(world.Get_errhandler() == MPI.ERRORS_RETURN, "the handler is as it was")

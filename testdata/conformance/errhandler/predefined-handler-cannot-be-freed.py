# MPI_Errhandler_free: predefined objects must not be freed [MPI-5.0 §2.5.1]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
from commsplit import expect_error

world = MPI.COMM_WORLD
me = world.Get_rank()
expect_error(MPI.ERR_ERRHANDLER, MPI.ERRORS_RETURN.Free)

# MPI_Errhandler_free: MPI_ERRHANDLER_NULL is not a handler to free [MPI-5.0 §9.3.5]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
from commsplit import expect_error

world = MPI.COMM_WORLD
me = world.Get_rank()
expect_error(MPI.ERR_ERRHANDLER, MPI.Errhandler().Free)

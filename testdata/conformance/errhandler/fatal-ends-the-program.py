# MPI_Comm_set_errhandler: with MPI_ERRORS_ARE_FATAL an error ends the program [MPI-5.0 §9.3]
# commsplit: -n 2 --topo core:2
# ends: 3 MPI_ERR_ARG
from mpi4py import MPI
from commsplit import expect_error

world = MPI.COMM_WORLD
me = world.Get_rank()
part = world.Split(0, me)
part.Set_errhandler(MPI.ERRORS_ARE_FATAL)
expect_error(MPI.ERR_ARG, part.Split, -1)

# MPI_Add_error_string: for a code up to MPI_ERR_LASTCODE it is erroneous [MPI-5.0 §9.5]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
from commsplit import expect_error

world = MPI.COMM_WORLD
me = world.Get_rank()
expect_error(MPI.ERR_ARG, MPI.Add_error_string, MPI.ERR_COMM, "mine")

# MPI_Cart_create: the call is erroneous if the grid is larger than the group, MPI_ERR_ARG [MPI-5.0 §8.5.1]
# commsplit: -n 4 --topo core:4
from mpi4py import MPI
from commsplit import expect_error

world = MPI.COMM_WORLD
expect_error(MPI.ERR_ARG, world.Create_cart, [2, 3])

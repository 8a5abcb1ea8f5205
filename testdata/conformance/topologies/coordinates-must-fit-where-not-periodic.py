# MPI_Cart_rank: in a dimension that is not periodic, they are erroneous, MPI_ERR_ARG [MPI-5.0 §8.5.5]
# commsplit: -n 6 --topo core:6
from mpi4py import MPI
from commsplit import expect_error

world = MPI.COMM_WORLD
grid = world.Create_cart([2, 3], [True, False])
expect_error(MPI.ERR_ARG, grid.Get_cart_rank, [0, 3])
expect_error(MPI.ERR_ARG, grid.Get_cart_rank, [0, -1])

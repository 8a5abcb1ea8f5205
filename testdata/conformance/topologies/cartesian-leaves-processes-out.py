# MPI_Cart_create: if the grid is smaller than the group, some processes get MPI_COMM_NULL [MPI-5.0 §8.5.1]
# commsplit: -n 6 --topo core:6
from mpi4py import MPI
from commsplit import expect_parts

world = MPI.COMM_WORLD
grid = world.Create_cart([2, 2])
expect_parts(grid, [[0, 1, 2, 3]])

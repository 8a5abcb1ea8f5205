# MPI_Cart_create: with no dimensions, a topology of one process; the others get MPI_COMM_NULL [MPI-5.0 §8.5.1]
# commsplit: -n 3 --topo core:3
from mpi4py import MPI
from commsplit import expect, expect_parts

world = MPI.COMM_WORLD
grid = world.Create_cart([])
expect_parts(grid, [[0]])
if grid != MPI.COMM_NULL:
    expect(grid.Get_topology() == MPI.CART and grid.Get_dim() == 0, "Cartesian, of 0 dimensions")

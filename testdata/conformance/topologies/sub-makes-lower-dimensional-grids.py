# MPI_Cart_sub: a communicator for each lower-dimensional subgrid, with its topology [MPI-5.0 §8.5.7]
# commsplit: -n 6 --topo core:6
from mpi4py import MPI
from commsplit import expect, expect_parts

world = MPI.COMM_WORLD
grid = world.Create_cart([2, 3], [True, False])
row = grid.Sub([False, True])
column = grid.Sub([True, False])
expect_parts(row, [[0, 1, 2], [3, 4, 5]])
expect_parts(column, [[0, 3], [1, 4], [2, 5]])
expect(row.Get_topology() == MPI.CART and list(row.Get_topo()[0]) == [3], "one dimension of 3")
expect([bool(p) for p in column.Get_topo()[1]] == [True], "periodic as before")

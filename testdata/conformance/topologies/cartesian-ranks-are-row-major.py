# MPI_Cart_coords: ranks are numbered row by row, the last dimension fastest [MPI-5.0 §8.2]
# commsplit: -n 6 --topo core:6
from mpi4py import MPI
from commsplit import expect

world = MPI.COMM_WORLD
grid = world.Create_cart([2, 3])
expect([list(grid.Get_coords(r)) for r in range(6)] == [[0, 0], [0, 1], [0, 2], [1, 0], [1, 1], [1, 2]], "coordinates")
expect([grid.Get_cart_rank([i, j]) for i in range(2) for j in range(3)] == [0, 1, 2, 3, 4, 5], "and back")

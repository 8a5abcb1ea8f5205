# MPI_Cart_rank: in a periodic dimension, coordinates out of range are shifted back [MPI-5.0 §8.5.5]
# commsplit: -n 6 --topo core:6
from mpi4py import MPI
from commsplit import expect

world = MPI.COMM_WORLD
grid = world.Create_cart([2, 3], [True, False])
expect(grid.Get_cart_rank([2, 1]) == 1, "row 2 is row 0")
expect(grid.Get_cart_rank([-1, 2]) == 5, "row -1 is row 1")

# MPI_Cart_get: gives the dimensions, the periods and the coordinates of the caller [MPI-5.0 §8.5.5]
# commsplit: -n 6 --topo core:6
from mpi4py import MPI
from commsplit import expect

world = MPI.COMM_WORLD
me = world.Get_rank()
grid = world.Create_cart([3, 2], [True, False])
dims, periods, coords = grid.Get_topo()
expect(list(dims) == [3, 2], "the dimensions")
expect([bool(p) for p in periods] == [True, False], "the periods")
expect(list(coords) == [me // 2, me % 2], "row and column of this process")
expect(grid.Get_dim() == 2, "two dimensions")

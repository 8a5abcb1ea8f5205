# MPI_Cart_shift: in a periodic dimension it is circular; disp may be negative [MPI-5.0 §8.5.6]
# commsplit: -n 6 --topo core:6
from mpi4py import MPI
from commsplit import expect

world = MPI.COMM_WORLD
me = world.Get_rank()
grid = world.Create_cart([2, 3], [False, True])
row = me // 3 * 3
column = me % 3
expect(grid.Shift(1, 1) == (row + (column + 2) % 3, row + (column + 1) % 3), "one to the right")
expect(grid.Shift(1, -1) == (row + (column + 1) % 3, row + (column + 2) % 3), "one to the left")
expect(grid.Shift(1, 3) == (me, me), "once around")

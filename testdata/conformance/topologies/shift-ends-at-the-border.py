# MPI_Cart_shift: beyond the border of a dimension that is not periodic lies MPI_PROC_NULL [MPI-5.0 §8.5.6]
# commsplit: -n 6 --topo core:6
from mpi4py import MPI
from commsplit import expect

world = MPI.COMM_WORLD
me = world.Get_rank()
grid = world.Create_cart([2, 3], [False, True])
source, dest = grid.Shift(0, 1)
expect(source == (me - 3 if me >= 3 else MPI.PROC_NULL), "from the row above")
expect(dest == (me + 3 if me < 3 else MPI.PROC_NULL), "to the row below")

# Several calls of MPI_Comm_split make overlapping structures: rows, columns and a diagonal [MPI-5.0 §7.4.2]
# commsplit: -n 9 --topo core:9
from mpi4py import MPI
from commsplit import expect, expect_parts, note, world

note("Nine ranks in a square of three by three. In each call a rank belongs to one color only.")
me = world.Get_rank()
row = world.Split(me // 3, me)
column = world.Split(me % 3, me)
diagonal = world.Split(0 if me // 3 == me % 3 else MPI.UNDEFINED, me)
expect_parts(row, [[0, 1, 2], [3, 4, 5], [6, 7, 8]])
expect_parts(column, [[0, 3, 6], [1, 4, 7], [2, 5, 8]])
expect_parts(diagonal, [[0, 4, 8]])

note("Together they overlap: rank 4 is in a row, in a column and on the diagonal.")
expect(row.allreduce(me) == 9 * (me // 3) + 3, "sum of a row")
expect(column.allreduce(me) == 3 * (me % 3) + 9, "sum of a column")

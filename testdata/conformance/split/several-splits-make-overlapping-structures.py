# MPI_Comm_split: several calls give overlapping communicators: rows and columns [MPI-5.0 §7.4.2]
# commsplit: -n 6 --topo core:6
from mpi4py import MPI
from commsplit import expect, expect_parts

world = MPI.COMM_WORLD
me = world.Get_rank()
row = world.Split(me // 3, me)
column = world.Split(me % 3, me)
expect_parts(row, [[0, 1, 2], [3, 4, 5]])
expect_parts(column, [[0, 3], [1, 4], [2, 5]])
expect(row.allreduce(me) == (3 if me < 3 else 12), "0+1+2 and 3+4+5")
expect(column.allreduce(me) == 2 * (me % 3) + 3, "k and k+3")

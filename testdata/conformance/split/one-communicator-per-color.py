# MPI_Comm_split: each subgroup contains all processes of the same color [MPI-5.0 §7.4.2]
# commsplit: -n 6 --topo core:6
from mpi4py import MPI
from commsplit import expect_parts

world = MPI.COMM_WORLD
me = world.Get_rank()
expect_parts(world.Split(me % 3, 0), [[0, 3], [1, 4], [2, 5]])
expect_parts(world.Split(7, 0), [[0, 1, 2, 3, 4, 5]])
expect_parts(world.Split(me, 0), [[0], [1], [2], [3], [4], [5]])
# Colors need not be dense: any integer that is not negative is one.
expect_parts(world.Split(2147483647 if me < 2 else 0, 0), [[0, 1], [2, 3, 4, 5]])

# MPI_Comm_split: within each subgroup, processes are ranked in the order of key [MPI-5.0 §7.4.2]
# commsplit: -n 6 --topo core:6
from mpi4py import MPI
from commsplit import expect_parts

world = MPI.COMM_WORLD
me = world.Get_rank()
expect_parts(world.Split(0, -me), [[5, 4, 3, 2, 1, 0]])
# Keys 0 5 4 3 2 1: rank 0 comes first, then 5, 4, 3, 2, 1.
expect_parts(world.Split(0, (6 - me) % 6), [[0, 5, 4, 3, 2, 1]])
expect_parts(world.Split(me % 2, -me), [[4, 2, 0], [5, 3, 1]])

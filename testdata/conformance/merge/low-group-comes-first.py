# MPI_Intercomm_merge: the group with high = false comes first, each in its own order [MPI-5.0 §7.6.2]
# commsplit: -n 6 --topo core:6
from mpi4py import MPI
from commsplit import expect_parts

world = MPI.COMM_WORLD
me = world.Get_rank()
half = world.Split(me % 2, me)  # evens and odds
inter = half.Create_intercomm(0, world, 1 - me % 2)
expect_parts(inter.Merge(me % 2 == 1), [[0, 2, 4, 1, 3, 5]])
expect_parts(inter.Merge(me % 2 == 0), [[1, 3, 5, 0, 2, 4]])

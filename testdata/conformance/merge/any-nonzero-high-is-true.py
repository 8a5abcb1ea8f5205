# MPI_Intercomm_merge: high is a logical: any value but 0 is true [MPI-5.0 §7.6.2]
# commsplit: -n 4 --topo core:4
from mpi4py import MPI
from commsplit import expect_parts

world = MPI.COMM_WORLD
me = world.Get_rank()
half = world.Split(me % 2, me)  # evens and odds
inter = half.Create_intercomm(0, world, 1 - me % 2)
expect_parts(inter.Merge(5 if me % 2 == 0 else 0), [[1, 3, 0, 2]])

# MPI_Comm_split: on an intercommunicator, key orders each side for itself [MPI-5.0 §7.4.2]
# commsplit: -n 6 --topo core:6
from mpi4py import MPI
from commsplit import expect_parts

world = MPI.COMM_WORLD
me = world.Get_rank()
half = world.Split(me % 2, me)  # evens and odds
inter = half.Create_intercomm(0, world, 1 - me % 2)
# Left by descending rank; right 3 first (key -1), then 1 and 5 (keys 0 and 0).
keys = [0, -1, 0]
key = -me if me % 2 == 0 else keys[inter.Get_rank()]
expect_parts(inter.Split(0, key), [([4, 2, 0], [3, 1, 5])])

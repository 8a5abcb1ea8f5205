# MPI_Comm_split_type: of an intercommunicator, both sides with the same resource combine [MPI-5.0 §7.4.2]
# commsplit: -n 6 --topo core:6
from mpi4py import MPI
from commsplit import expect_parts

world = MPI.COMM_WORLD
me = world.Get_rank()
half = world.Split(me % 2, me)  # evens and odds
inter = half.Create_intercomm(0, world, 1 - me % 2)
expect_parts(inter.Split_type(MPI.COMM_TYPE_SHARED), [([0, 2, 4], [1, 3, 5])])

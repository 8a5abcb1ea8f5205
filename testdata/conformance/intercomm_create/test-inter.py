# MPI_Comm_test_inter: is true for intercommunicators only [MPI-5.0 §7.6.1]
# commsplit: -n 4 --topo core:4
from mpi4py import MPI
from commsplit import expect

world = MPI.COMM_WORLD
me = world.Get_rank()
half = world.Split(me % 2, me)  # evens and odds
inter = half.Create_intercomm(0, world, 1 - me % 2)
expect(inter.Is_inter() and not inter.Is_intra(), "an intercommunicator")
expect(world.Is_intra() and not world.Is_inter(), "an intracommunicator")

# MPI_Comm_create: of an intercommunicator, each side is ordered by its own group [MPI-5.0 §7.4.2]
# commsplit: -n 6 --topo core:6
from mpi4py import MPI
from commsplit import expect_parts

world = MPI.COMM_WORLD
me = world.Get_rank()
half = world.Split(me % 2, me)  # evens and odds
inter = half.Create_intercomm(0, world, 1 - me % 2)
comm = inter.Create(inter.Get_group().Incl([2, 0, 1]))
expect_parts(comm, [([4, 0, 2], [5, 1, 3])])

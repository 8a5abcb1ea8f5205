# MPI_Comm_create: all processes of one local group must give the same group, MPI_ERR_GROUP [MPI-5.0 §7.4.2]
# commsplit: -n 6 --topo core:6
from mpi4py import MPI
from commsplit import expect_error

world = MPI.COMM_WORLD
me = world.Get_rank()
half = world.Split(me % 2, me)  # evens and odds
inter = half.Create_intercomm(0, world, 1 - me % 2)
group = inter.Get_group().Incl([0, 1] if me == 0 else [1, 0])
expect_error(MPI.ERR_GROUP, inter.Create, group)

# MPI_Comm_create: all members must give the same group, in the same order, MPI_ERR_GROUP [MPI-5.0 §7.4.2]
# commsplit: -n 4 --topo core:4
from mpi4py import MPI
from commsplit import expect_error

world = MPI.COMM_WORLD
me = world.Get_rank()
everybody = world.Get_group()
group = everybody.Incl([0, 1, 2] if me == 0 else [2, 1, 0])
expect_error(MPI.ERR_GROUP, world.Create, group)

# MPI_Comm_create: the group must be a subgroup of the group of comm, MPI_ERR_GROUP [MPI-5.0 §7.4.2]
# commsplit: -n 4 --topo core:4
from mpi4py import MPI
from commsplit import expect_error

world = MPI.COMM_WORLD
me = world.Get_rank()
half = world.Split(me % 2, me)
# In each half, a member and somebody who is not one.
outside = world.Get_group().Incl([0, 1])
expect_error(MPI.ERR_GROUP, half.Create, outside)

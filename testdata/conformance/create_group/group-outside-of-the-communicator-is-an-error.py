# MPI_Comm_create_group: the group must be a subgroup of the group of comm, MPI_ERR_GROUP [MPI-5.0 §7.4.2]
# commsplit: -n 4 --topo core:4
from mpi4py import MPI
from commsplit import expect_error

world = MPI.COMM_WORLD
me = world.Get_rank()
half = world.Split(me % 2, me)
expect_error(MPI.ERR_GROUP, half.Create_group, world.Get_group())

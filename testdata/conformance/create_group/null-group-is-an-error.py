# MPI_Comm_create_group: MPI_GROUP_NULL is not a group, MPI_ERR_GROUP [MPI-5.0 §7.4.2]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
from commsplit import expect_error

world = MPI.COMM_WORLD
expect_error(MPI.ERR_GROUP, world.Create_group, MPI.GROUP_NULL)

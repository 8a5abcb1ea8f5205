# MPI_Comm_create_group: tag is not permitted to be a wildcard, or negative, MPI_ERR_TAG [MPI-5.0 §7.4.2]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
from commsplit import expect_error

world = MPI.COMM_WORLD
everybody = world.Get_group()
expect_error(MPI.ERR_TAG, world.Create_group, everybody, MPI.ANY_TAG)
expect_error(MPI.ERR_TAG, world.Create_group, everybody, -5)

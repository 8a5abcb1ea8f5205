# MPI_Intercomm_create: tag is a tag as for messages, no wildcard, not negative, MPI_ERR_TAG [MPI-5.0 §7.6.2]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
from commsplit import expect_error

world = MPI.COMM_WORLD
me = world.Get_rank()
expect_error(MPI.ERR_TAG, MPI.COMM_SELF.Create_intercomm, 0, world, 1 - me, -5)

# MPI_Intercomm_create: the two leaders are different processes, MPI_ERR_RANK [MPI-5.0 §7.6.2]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
from commsplit import expect_error

world = MPI.COMM_WORLD
me = world.Get_rank()
expect_error(MPI.ERR_RANK, MPI.COMM_SELF.Create_intercomm, 0, world, me, 0)

# MPI_Intercomm_create: MPI_COMM_NULL is not a valid local_comm, MPI_ERR_COMM [MPI-5.0 §7.6.2]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
from commsplit import expect_error

world = MPI.COMM_WORLD
me = world.Get_rank()
nobody = world.Split(MPI.UNDEFINED, 0)
expect_error(MPI.ERR_COMM, nobody.Create_intercomm, 0, world, 1 - me, 0)

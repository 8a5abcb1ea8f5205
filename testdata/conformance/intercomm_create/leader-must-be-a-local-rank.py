# MPI_Intercomm_create: local_leader is a rank in local_comm, MPI_ERR_RANK [MPI-5.0 §7.6.2]
# commsplit: -n 4 --topo core:4
from mpi4py import MPI
from commsplit import expect_error

world = MPI.COMM_WORLD
me = world.Get_rank()
half = world.Split(me % 2, me)
expect_error(MPI.ERR_RANK, half.Create_intercomm, 2, world, 1 - me % 2, 0)
expect_error(MPI.ERR_RANK, half.Create_intercomm, -1, world, 1 - me % 2, 0)

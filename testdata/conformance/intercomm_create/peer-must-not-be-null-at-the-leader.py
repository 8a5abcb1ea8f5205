# MPI_Intercomm_create: peer_comm at a leader is a communicator, MPI_ERR_COMM [MPI-5.0 §7.6.2]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
from commsplit import expect_error

world = MPI.COMM_WORLD
me = world.Get_rank()
nobody = world.Split(MPI.UNDEFINED, 0)
expect_error(MPI.ERR_COMM, MPI.COMM_SELF.Create_intercomm, 0, nobody, 1 - me, 0)

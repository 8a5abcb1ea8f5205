# MPI_Intercomm_create: remote_leader is a rank in peer_comm, MPI_ERR_RANK [MPI-5.0 §7.6.2]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
from commsplit import expect_error

world = MPI.COMM_WORLD
expect_error(MPI.ERR_RANK, MPI.COMM_SELF.Create_intercomm, 0, world, 2, 0)
expect_error(MPI.ERR_RANK, MPI.COMM_SELF.Create_intercomm, 0, world, -1, 0)

# MPI_Comm_disconnect: not with MPI_COMM_WORLD, MPI_COMM_SELF or MPI_COMM_NULL, MPI_ERR_COMM [MPI-5.0 §11.10.4]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
from commsplit import expect_error

world = MPI.COMM_WORLD
expect_error(MPI.ERR_COMM, world.Disconnect)
expect_error(MPI.ERR_COMM, MPI.COMM_SELF.Disconnect)
expect_error(MPI.ERR_COMM, MPI.COMM_NULL.Disconnect)

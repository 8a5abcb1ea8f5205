# MPI_Comm_size: MPI_COMM_NULL has no size, rank or group, MPI_ERR_COMM [MPI-5.0 §7.4.1]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
from commsplit import expect_error

world = MPI.COMM_WORLD
expect_error(MPI.ERR_COMM, MPI.COMM_NULL.Get_size)
expect_error(MPI.ERR_COMM, MPI.COMM_NULL.Get_rank)
expect_error(MPI.ERR_COMM, MPI.COMM_NULL.Get_group)
expect_error(MPI.ERR_COMM, MPI.Comm.Compare, world, MPI.COMM_NULL)

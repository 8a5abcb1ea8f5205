# MPI_Comm_split_type: split_type must be a defined value, MPI_ERR_ARG [MPI-5.0 §7.4.2]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
from commsplit import expect_error

world = MPI.COMM_WORLD
expect_error(MPI.ERR_ARG, world.Split_type, 12345)
expect_error(MPI.ERR_ARG, world.Split_type, -7)

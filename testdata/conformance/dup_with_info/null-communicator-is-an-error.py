# MPI_Comm_dup_with_info: MPI_COMM_NULL is not a valid communicator, MPI_ERR_COMM [MPI-5.0 §7.4.2]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
from commsplit import expect_error

expect_error(MPI.ERR_COMM, MPI.COMM_NULL.Dup_with_info, MPI.INFO_NULL)

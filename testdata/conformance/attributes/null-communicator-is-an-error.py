# MPI_Comm_set_attr: MPI_COMM_NULL is not a valid communicator, MPI_ERR_COMM [MPI-5.0 §7.7.2]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
from commsplit import expect_error

key = MPI.Comm.Create_keyval()
expect_error(MPI.ERR_COMM, MPI.COMM_NULL.Set_attr, key, 1)
expect_error(MPI.ERR_COMM, MPI.COMM_NULL.Get_attr, key)
expect_error(MPI.ERR_COMM, MPI.COMM_NULL.Delete_attr, key)

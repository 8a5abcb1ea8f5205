# MPI_Comm_get_name: MPI_COMM_NULL has a name since MPI-4.1; before, it is not a communicator that could have one [MPI-4.0 §7.8]
# commsplit: -n 2 --topo core:2 --std 4.0
from mpi4py import MPI
from commsplit import expect_error

expect_error(MPI.ERR_COMM, MPI.COMM_NULL.Get_name)

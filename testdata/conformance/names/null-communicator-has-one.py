# MPI_Comm_get_name: the name of MPI_COMM_NULL is MPI_COMM_NULL (since MPI-4.1) [MPI-5.0 §7.8]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
from commsplit import expect

expect(MPI.COMM_NULL.Get_name() == "MPI_COMM_NULL", "a predefined name")

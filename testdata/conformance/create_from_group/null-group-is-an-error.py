# MPI_Comm_create_from_group: MPI_GROUP_NULL is not a group, MPI_ERR_GROUP [MPI-5.0 §7.4.2]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
from commsplit import expect_error

expect_error(MPI.ERR_GROUP, MPI.Intracomm.Create_from_group, MPI.GROUP_NULL, "org.example.none")

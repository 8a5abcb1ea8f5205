# MPI_Comm_create_from_group: before MPI-4.1 there is no MPI_ERR_ERRHANDLER: MPI_ERR_ARG [MPI-4.0 §9.4]
# commsplit: -n 2 --topo core:2 --std 4.0
from mpi4py import MPI
from commsplit import expect_error

session = MPI.Session.Init()
group = session.Create_group("mpi://WORLD")
create = MPI.Intracomm.Create_from_group
expect_error(MPI.ERR_ARG, create, group, "org.example.all", MPI.INFO_NULL, MPI.ERRHANDLER_NULL)

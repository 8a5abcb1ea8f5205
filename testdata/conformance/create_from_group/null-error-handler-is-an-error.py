# MPI_Comm_create_from_group: MPI_ERRHANDLER_NULL cannot be attached, MPI_ERR_ERRHANDLER [MPI-5.0 §9.4]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
from commsplit import expect_error

session = MPI.Session.Init()
group = session.Create_group("mpi://WORLD")
create = MPI.Intracomm.Create_from_group
expect_error(MPI.ERR_ERRHANDLER, create, group, "org.example.all", MPI.INFO_NULL, MPI.ERRHANDLER_NULL)

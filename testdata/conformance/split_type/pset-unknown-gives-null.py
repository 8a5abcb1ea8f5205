# MPI_Comm_split_type: mpi_pset_name must be valid in the session of comm; unknown gives MPI_COMM_NULL [MPI-5.0 §7.4.2]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
from commsplit import expect

session = MPI.Session.Init()
comm = MPI.Intracomm.Create_from_group(session.Create_group("mpi://WORLD"), "org.example.all")
info = MPI.Info.Create()
info.Set("mpi_pset_name", "app://atlantis")
expect(comm.Split_type(MPI.COMM_TYPE_RESOURCE_GUIDED, 0, info) == MPI.COMM_NULL, "no such process set")

# MPI_Comm_create_from_group: info gives the hints of the new communicator [MPI-5.0 §7.4.2]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
from commsplit import expect

session = MPI.Session.Init()
info = MPI.Info.Create()
info.Set("mpi_assert_no_any_tag", "true")
comm = MPI.Intracomm.Create_from_group(session.Create_group("mpi://WORLD"), "org.example.all", info)
expect(comm.Get_info().Get("mpi_assert_no_any_tag") == "true", "the hint given")

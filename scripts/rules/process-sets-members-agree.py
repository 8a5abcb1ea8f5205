# All processes of comm in a process set must provide the same key and value [MPI-5.0 §7.4.2]
# commsplit: -n 4 --topo core:4 --pset app://ocean=0-2 --pset app://atmos=2-3
from mpi4py import MPI
from commsplit import expect_error, expect_parts, note

note("Rank 2 is in both sets, but does not name the same set as ranks 0 and 1, the other members of app://ocean.")
session = MPI.Session.Init()
comm = MPI.Intracomm.Create_from_group(session.Create_group("mpi://WORLD"), "org.example.all")
info = MPI.Info.Create()
info.Set("mpi_pset_name", "app://ocean" if comm.Get_rank() < 2 else "app://atmos")
expect_error(MPI.ERR_ARG, comm.Split_type, MPI.COMM_TYPE_RESOURCE_GUIDED, 0, info)

note("One set after the other:")
info.Set("mpi_pset_name", "app://ocean")
expect_parts(comm.Split_type(MPI.COMM_TYPE_RESOURCE_GUIDED, 0, info), [[0, 1, 2]])
info.Set("mpi_pset_name", "app://atmos")
expect_parts(comm.Split_type(MPI.COMM_TYPE_RESOURCE_GUIDED, 0, info), [[2, 3]])

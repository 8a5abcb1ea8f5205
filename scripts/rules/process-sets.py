# RESOURCE_GUIDED by mpi_pset_name: a set of the session that comm is derived from [MPI-5.0 §7.4.2]
# commsplit: -n 6 --topo core:6 --pset app://ocean=0-2 --pset app://atmos=3-4
from mpi4py import MPI
from commsplit import expect, expect_parts, note, world

note("A communicator of a session, and two process sets of it. Rank 5 is in neither.")
me = world.Get_rank()
session = MPI.Session.Init()
comm = MPI.Intracomm.Create_from_group(session.Create_group("mpi://WORLD"), "org.example.all")
info = MPI.Info.Create()
info.Set("mpi_pset_name", "app://ocean")
expect_parts(comm.Split_type(MPI.COMM_TYPE_RESOURCE_GUIDED, 0, info), [[0, 1, 2]])

note("Only the members of a set must agree on its name, so each model can split in the same call.")
info.Set("mpi_pset_name", "app://ocean" if me < 3 else "app://atmos")
expect_parts(comm.Split_type(MPI.COMM_TYPE_RESOURCE_GUIDED, 0, info), [[0, 1, 2], [3, 4]])

note("MPI_COMM_WORLD is not derived from a session: MPI_COMM_NULL. An unknown name also gives MPI_COMM_NULL.")
expect(world.Split_type(MPI.COMM_TYPE_RESOURCE_GUIDED, 0, info) == MPI.COMM_NULL, "not derived from a session")
info.Set("mpi_pset_name", "app://land")
expect(comm.Split_type(MPI.COMM_TYPE_RESOURCE_GUIDED, 0, info) == MPI.COMM_NULL, "no such set")

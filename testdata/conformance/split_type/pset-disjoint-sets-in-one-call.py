# MPI_Comm_split_type: only members of a process set must agree: disjoint sets may be named at once [MPI-5.0 §7.4.2]
# commsplit: -n 4 --topo core:4 --pset app://ocean=0-1 --pset app://atmos=2-3
from mpi4py import MPI
from commsplit import expect_parts

world = MPI.COMM_WORLD
me = world.Get_rank()
session = MPI.Session.Init()
comm = MPI.Intracomm.Create_from_group(session.Create_group("mpi://WORLD"), "org.example.all")
info = MPI.Info.Create()
info.Set("mpi_pset_name", "app://ocean" if me < 2 else "app://atmos")
expect_parts(comm.Split_type(MPI.COMM_TYPE_RESOURCE_GUIDED, 0, info), [[0, 1], [2, 3]])

# MPI_Comm_split_type: a communicator made from one of a session is derived from that session, too [MPI-5.0 §7.4.2]
# commsplit: -n 4 --topo core:4 --pset app://ocean=0-2
from mpi4py import MPI
from commsplit import expect_parts

world = MPI.COMM_WORLD
me = world.Get_rank()
session = MPI.Session.Init()
comm = MPI.Intracomm.Create_from_group(session.Create_group("mpi://WORLD"), "org.example.all")
half = comm.Split(me % 2, 0)
info = MPI.Info.Create()
info.Set("mpi_pset_name", "app://ocean")
expect_parts(half.Split_type(MPI.COMM_TYPE_RESOURCE_GUIDED, 0, info), [[0, 2], [1]])

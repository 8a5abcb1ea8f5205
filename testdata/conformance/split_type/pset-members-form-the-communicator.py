# MPI_Comm_split_type: mpi_pset_name, the members of the process set form newcomm, others get null [MPI-5.0 §7.4.2]
# commsplit: -n 6 --topo core:6 --pset app://ocean=1-4
from mpi4py import MPI
from commsplit import expect_parts

world = MPI.COMM_WORLD
me = world.Get_rank()
session = MPI.Session.Init()
comm = MPI.Intracomm.Create_from_group(session.Create_group("mpi://WORLD"), "org.example.all")
info = MPI.Info.Create()
info.Set("mpi_pset_name", "app://ocean")
expect_parts(comm.Split_type(MPI.COMM_TYPE_RESOURCE_GUIDED, -me, info), [[4, 3, 2, 1]])
info.Set("mpi_pset_name", "mpi://WORLD")
expect_parts(comm.Split_type(MPI.COMM_TYPE_RESOURCE_GUIDED, 0, info), [[0, 1, 2, 3, 4, 5]])

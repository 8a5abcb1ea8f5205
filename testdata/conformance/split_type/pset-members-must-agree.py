# MPI_Comm_split_type: all members of the named process set must give the same name, MPI_ERR_ARG [MPI-5.0 §7.4.2]
# commsplit: -n 4 --topo core:4 --pset app://ocean=0-2 --pset app://atmos=2-3
from mpi4py import MPI
from commsplit import expect_error

world = MPI.COMM_WORLD
me = world.Get_rank()
session = MPI.Session.Init()
comm = MPI.Intracomm.Create_from_group(session.Create_group("mpi://WORLD"), "org.example.all")
info = MPI.Info.Create()
# Rank 2 is in both sets; it names another one than 0 and 1.
info.Set("mpi_pset_name", "app://ocean" if me < 2 else "app://atmos")
expect_error(MPI.ERR_ARG, comm.Split_type, MPI.COMM_TYPE_RESOURCE_GUIDED, 0, info)

# MPI_Comm_split_type: RESOURCE_GUIDED, all must provide the same info key, MPI_ERR_ARG [MPI-5.0 §7.4.2]
# commsplit: -n 4 --topo "pack:2 core:2"
from mpi4py import MPI
from commsplit import expect_error

world = MPI.COMM_WORLD
me = world.Get_rank()
session = MPI.Session.Init()
comm = MPI.Intracomm.Create_from_group(session.Create_group("mpi://WORLD"), "org.example.all")
info = MPI.Info.Create()
if me < 2:
    info.Set("mpi_hw_resource_type", "hwloc://Package")
else:
    info.Set("mpi_pset_name", "mpi://WORLD")
expect_error(MPI.ERR_ARG, comm.Split_type, MPI.COMM_TYPE_RESOURCE_GUIDED, 0, info)

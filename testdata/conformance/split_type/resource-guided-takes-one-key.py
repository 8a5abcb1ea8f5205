# MPI_Comm_split_type: RESOURCE_GUIDED, use of more than one of the keys is erroneous, MPI_ERR_ARG [MPI-5.0 §7.4.2]
# commsplit: -n 2 --topo "pack:2 core:1"
from mpi4py import MPI
from commsplit import expect_error

world = MPI.COMM_WORLD
info = MPI.Info.Create()
info.Set("mpi_hw_resource_type", "hwloc://Package")
info.Set("mpi_pset_name", "mpi://WORLD")
expect_error(MPI.ERR_ARG, world.Split_type, MPI.COMM_TYPE_RESOURCE_GUIDED, 0, info)

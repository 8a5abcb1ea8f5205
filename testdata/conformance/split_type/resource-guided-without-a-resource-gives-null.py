# MPI_Comm_split_type: RESOURCE_GUIDED gives MPI_COMM_NULL without info, key, or a known value [MPI-5.0 §7.4.2]
# commsplit: -n 2 --topo "pack:2 core:1"
from mpi4py import MPI
from commsplit import expect

world = MPI.COMM_WORLD
info = MPI.Info.Create()
expect(world.Split_type(MPI.COMM_TYPE_RESOURCE_GUIDED, 0, MPI.INFO_NULL) == MPI.COMM_NULL, "MPI_INFO_NULL")
expect(world.Split_type(MPI.COMM_TYPE_RESOURCE_GUIDED, 0, info) == MPI.COMM_NULL, "neither key")
info.Set("mpi_hw_resource_type", "org.example://Toaster")
expect(world.Split_type(MPI.COMM_TYPE_RESOURCE_GUIDED, 0, info) == MPI.COMM_NULL, "a value that is not recognized")

# MPI_Comm_split_type: HW_GUIDED gives MPI_COMM_NULL when the value is not recognized [MPI-5.0 §7.4.2]
# commsplit: -n 2 --topo "pack:2 core:1"
from mpi4py import MPI
from commsplit import expect

world = MPI.COMM_WORLD
info = MPI.Info.Create()
info.Set("mpi_hw_resource_type", "org.example://Toaster")
expect(world.Split_type(MPI.COMM_TYPE_HW_GUIDED, 0, info) == MPI.COMM_NULL, "no such type")

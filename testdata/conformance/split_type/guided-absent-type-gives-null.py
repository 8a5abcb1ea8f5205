# MPI_Comm_split_type: HW_GUIDED gives MPI_COMM_NULL where no instance of the type exists [MPI-5.0 §7.4.2]
# commsplit: -n 2 --topo "pack:2 core:1"
from mpi4py import MPI
from commsplit import expect

world = MPI.COMM_WORLD
info = MPI.Info.Create()
info.Set("mpi_hw_resource_type", "hwloc://L4Cache")
expect(world.Split_type(MPI.COMM_TYPE_HW_GUIDED, 0, info) == MPI.COMM_NULL, "a machine without L4 caches")

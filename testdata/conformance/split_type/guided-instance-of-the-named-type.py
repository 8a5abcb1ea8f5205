# MPI_Comm_split_type: HW_GUIDED, each newcomm is one instance of the type named by info [MPI-5.0 §7.4.2]
# commsplit: -n 4 --topo "numa:2 core:2"
from mpi4py import MPI
from commsplit import expect_parts

world = MPI.COMM_WORLD
info = MPI.Info.Create()
info.Set("mpi_hw_resource_type", "hwloc://NUMANode")
expect_parts(world.Split_type(MPI.COMM_TYPE_HW_GUIDED, 0, info), [[0, 1], [2, 3]])
info.Set("mpi_hw_resource_type", "hwloc://Core")
expect_parts(world.Split_type(MPI.COMM_TYPE_HW_GUIDED, 0, info), [[0], [1], [2], [3]])

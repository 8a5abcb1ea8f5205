# MPI_Comm_split_type: RESOURCE_GUIDED with mpi_hw_resource_type is one instance of the type each [MPI-5.0 §7.4.2]
# commsplit: -n 4 --topo "numa:2 core:2" --bind 0,1,2,2-3
from mpi4py import MPI
from commsplit import expect_parts

world = MPI.COMM_WORLD
me = world.Get_rank()
info = MPI.Info.Create()
info.Set("mpi_hw_resource_type", "hwloc://NUMANode")
expect_parts(world.Split_type(MPI.COMM_TYPE_RESOURCE_GUIDED, me, info), [[0, 1], [2, 3]])
info.Set("mpi_hw_resource_type", "hwloc://Core")
expect_parts(world.Split_type(MPI.COMM_TYPE_RESOURCE_GUIDED, me, info), [[0], [1], [2]])

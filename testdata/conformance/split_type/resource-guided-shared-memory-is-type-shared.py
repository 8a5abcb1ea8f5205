# MPI_Comm_split_type: RESOURCE_GUIDED with mpi_shared_memory is MPI_COMM_TYPE_SHARED [MPI-5.0 §7.4.2]
# commsplit: -n 4 --topo "machine:2 core:2"
from mpi4py import MPI
from commsplit import expect_parts

world = MPI.COMM_WORLD
info = MPI.Info.Create()
info.Set("mpi_hw_resource_type", "mpi_shared_memory")
expect_parts(world.Split_type(MPI.COMM_TYPE_RESOURCE_GUIDED, 0, info), [[0, 1], [2, 3]])

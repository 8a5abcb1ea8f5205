# MPI_Comm_split_type: HW_GUIDED gives MPI_COMM_NULL without info or without the key [MPI-5.0 §7.4.2]
# commsplit: -n 2 --topo "pack:2 core:1"
from mpi4py import MPI
from commsplit import expect

world = MPI.COMM_WORLD
expect(world.Split_type(MPI.COMM_TYPE_HW_GUIDED, 0, MPI.INFO_NULL) == MPI.COMM_NULL, "MPI_INFO_NULL")
info = MPI.Info.Create()
info.Set("mpi_assert_no_any_tag", "true")
expect(world.Split_type(MPI.COMM_TYPE_HW_GUIDED, 0, info) == MPI.COMM_NULL, "no mpi_hw_resource_type")

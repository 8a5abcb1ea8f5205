# MPI_Comm_split_type: HW_GUIDED returns the largest subset that matches, also all of comm [MPI-5.0 §7.4.2]
# commsplit: -n 4 --topo "pack:1 core:4"
from mpi4py import MPI
from commsplit import expect_parts

world = MPI.COMM_WORLD
info = MPI.Info.Create()
info.Set("mpi_hw_resource_type", "hwloc://Package")
expect_parts(world.Split_type(MPI.COMM_TYPE_HW_GUIDED, 0, info), [[0, 1, 2, 3]])

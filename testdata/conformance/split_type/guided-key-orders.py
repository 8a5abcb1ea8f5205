# MPI_Comm_split_type: HW_GUIDED ranks by key, ties by the rank in the group of comm [MPI-5.0 §7.4.2]
# commsplit: -n 6 --topo "pack:2 core:3"
from mpi4py import MPI
from commsplit import expect_parts

world = MPI.COMM_WORLD
me = world.Get_rank()
info = MPI.Info.Create()
info.Set("mpi_hw_resource_type", "hwloc://Package")
expect_parts(world.Split_type(MPI.COMM_TYPE_HW_GUIDED, -me, info), [[2, 1, 0], [5, 4, 3]])
# Keys 1 0 1 0 1 0.
expect_parts(world.Split_type(MPI.COMM_TYPE_HW_GUIDED, (me + 1) % 2, info), [[1, 0, 2], [3, 5, 4]])

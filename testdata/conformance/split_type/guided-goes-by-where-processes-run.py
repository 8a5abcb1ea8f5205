# MPI_Comm_split_type: HW_GUIDED goes by what processes utilize at the call; others stay [MPI-5.0 §7.4.2]
# commsplit: -n 4 --topo "pack:2 core:2"
from mpi4py import MPI
from commsplit import bind, expect, expect_parts

world = MPI.COMM_WORLD
info = MPI.Info.Create()
info.Set("mpi_hw_resource_type", "hwloc://Package")
before = world.Split_type(MPI.COMM_TYPE_HW_GUIDED, 0, info)
bind("1", "3")
after = world.Split_type(MPI.COMM_TYPE_HW_GUIDED, 0, info)
expect_parts(after, [[0], [1, 2, 3]])
expect_parts(before, [[0, 1], [2, 3]])
expect(before.allreduce(1) == 2, "the former communicators work as before")

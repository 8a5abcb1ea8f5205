# MPI_Comm_split_type: partitions the group of comm, whatever that is [MPI-5.0 §7.4.2]
# commsplit: -n 6 --topo "pack:2 core:3"
from mpi4py import MPI
from commsplit import expect_parts

world = MPI.COMM_WORLD
me = world.Get_rank()
info = MPI.Info.Create()
info.Set("mpi_hw_resource_type", "hwloc://Package")
half = world.Split(me % 2, -me)
# Packages 0 1 2 and 3 4 5; halves 4 2 0 and 5 3 1.
expect_parts(half.Split_type(MPI.COMM_TYPE_HW_GUIDED, 0, info), [[2, 0], [4], [1], [5, 3]])

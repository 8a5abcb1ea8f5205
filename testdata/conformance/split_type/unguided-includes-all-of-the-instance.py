# MPI_Comm_split_type: HW_UNGUIDED includes all processes that utilize the instance and no other [MPI-5.0 §7.4.2]
# commsplit: -n 6 --topo "pack:2 core:3" --bind 0,1,3,4,0-1,5
from mpi4py import MPI
from commsplit import expect_parts

world = MPI.COMM_WORLD
me = world.Get_rank()
# Rank 4 may use two cores, both of package 0.
expect_parts(world.Split_type(MPI.COMM_TYPE_HW_UNGUIDED, me), [[0, 1, 4], [2, 3, 5]])

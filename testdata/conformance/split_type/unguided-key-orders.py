# MPI_Comm_split_type: HW_UNGUIDED ranks by key, ties by the rank in the old group [MPI-5.0 §7.4.2]
# commsplit: -n 4 --topo "pack:2 core:2"
from mpi4py import MPI
from commsplit import expect_parts

world = MPI.COMM_WORLD
me = world.Get_rank()
expect_parts(world.Split_type(MPI.COMM_TYPE_HW_UNGUIDED, -me), [[1, 0], [3, 2]])
expect_parts(world.Split_type(MPI.COMM_TYPE_HW_UNGUIDED, 5), [[0, 1], [2, 3]])

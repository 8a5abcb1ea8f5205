# MPI_Comm_split_type: HW_UNGUIDED gives MPI_COMM_NULL to who utilizes several instances [MPI-5.0 §7.4.2]
# commsplit: -n 4 --topo "pack:2 core:2" --bind 0,1,0-3,3
from mpi4py import MPI
from commsplit import expect_parts

world = MPI.COMM_WORLD
me = world.Get_rank()
expect_parts(world.Split_type(MPI.COMM_TYPE_HW_UNGUIDED, me), [[0, 1], [3]])

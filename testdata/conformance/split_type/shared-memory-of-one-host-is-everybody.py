# MPI_Comm_split_type: on one host, MPI_COMM_TYPE_SHARED gives everybody, ranked by key [MPI-5.0 §7.4.2]
# commsplit: -n 4 --topo core:4
from mpi4py import MPI
from commsplit import expect_parts

world = MPI.COMM_WORLD
me = world.Get_rank()
expect_parts(world.Split_type(MPI.COMM_TYPE_SHARED), [[0, 1, 2, 3]])
expect_parts(world.Split_type(MPI.COMM_TYPE_SHARED, -me), [[3, 2, 1, 0]])
# Keys 1 0 1 0: ties go by the old rank.
expect_parts(world.Split_type(MPI.COMM_TYPE_SHARED, (me + 1) % 2), [[1, 3, 0, 2]])

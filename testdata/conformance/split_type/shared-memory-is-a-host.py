# MPI_Comm_split_type: MPI_COMM_TYPE_SHARED gathers who can share memory [MPI-5.0 §7.4.2]
# commsplit: -n 6 --topo "machine:2 core:3"
from mpi4py import MPI
from commsplit import expect_parts

world = MPI.COMM_WORLD
expect_parts(world.Split_type(MPI.COMM_TYPE_SHARED), [[0, 1, 2], [3, 4, 5]])

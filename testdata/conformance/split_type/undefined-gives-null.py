# MPI_Comm_split_type: a process with split_type MPI_UNDEFINED gets MPI_COMM_NULL [MPI-5.0 §7.4.2]
# commsplit: -n 4 --topo core:4
from mpi4py import MPI
from commsplit import expect, expect_parts

world = MPI.COMM_WORLD
me = world.Get_rank()
expect_parts(world.Split_type(MPI.UNDEFINED if me == 2 else MPI.COMM_TYPE_SHARED, me), [[0, 1, 3]])
expect(world.Split_type(MPI.UNDEFINED) == MPI.COMM_NULL, "when all do, nobody gets one")

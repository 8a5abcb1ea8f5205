# MPI_Comm_split: a process with color MPI_UNDEFINED gets MPI_COMM_NULL [MPI-5.0 §7.4.2]
# commsplit: -n 4 --topo core:4
from mpi4py import MPI
from commsplit import expect, expect_parts

world = MPI.COMM_WORLD
me = world.Get_rank()
comm = world.Split(MPI.UNDEFINED if me == 1 else 0, me)
expect_parts(comm, [[0, 2, 3]])
expect(world.Split(MPI.UNDEFINED, 0) == MPI.COMM_NULL, "when all do, nobody gets one")

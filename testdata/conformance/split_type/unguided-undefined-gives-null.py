# MPI_Comm_split_type: MPI_UNDEFINED is allowed next to HW_UNGUIDED, too [MPI-5.0 §7.4.2]
# commsplit: -n 4 --topo "pack:2 core:2"
from mpi4py import MPI
from commsplit import expect_parts

world = MPI.COMM_WORLD
me = world.Get_rank()
kind = MPI.UNDEFINED if me == 1 else MPI.COMM_TYPE_HW_UNGUIDED
expect_parts(world.Split_type(kind, me), [[0], [2, 3]])

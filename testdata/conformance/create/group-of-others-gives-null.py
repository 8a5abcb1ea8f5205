# MPI_Comm_create: a process that is not in the group that it gives gets MPI_COMM_NULL [MPI-5.0 §7.4.2]
# commsplit: -n 4 --topo core:4
from mpi4py import MPI
from commsplit import expect, expect_parts

world = MPI.COMM_WORLD
me = world.Get_rank()
everybody = world.Get_group()
# Rank 3 names the group of 0 and 1, rank 2 the empty group.
group = MPI.GROUP_EMPTY if me == 2 else everybody.Incl([0, 1])
comm = world.Create(group)
expect_parts(comm, [[0, 1]])
expect((comm == MPI.COMM_NULL) == (me > 1), "2 and 3 get MPI_COMM_NULL")

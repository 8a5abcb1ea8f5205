# MPI_Comm_dup: newcomm has the same group in the same order, but a new context [MPI-5.0 §7.4.2]
# commsplit: -n 4 --topo core:4
from mpi4py import MPI
from commsplit import expect, expect_parts

world = MPI.COMM_WORLD
me = world.Get_rank()
copy = world.Dup()
expect_parts(copy, [[0, 1, 2, 3]])
expect(MPI.Comm.Compare(world, copy) == MPI.CONGRUENT, "congruent, not identical: the contexts differ")
reverse = world.Split(0, -me)
expect_parts(reverse.Dup(), [[3, 2, 1, 0]])

# MPI_Comm_create: with the whole group, newcomm is congruent to comm; reordered, similar [MPI-5.0 §7.4.2]
# commsplit: -n 4 --topo core:4
from mpi4py import MPI
from commsplit import expect, expect_parts

world = MPI.COMM_WORLD
everybody = world.Get_group()
expect(MPI.Comm.Compare(world, world.Create(everybody)) == MPI.CONGRUENT, "the same order")
reverse = world.Create(everybody.Incl([3, 2, 1, 0]))
expect(MPI.Comm.Compare(world, reverse) == MPI.SIMILAR, "another order")
expect_parts(reverse, [[3, 2, 1, 0]])

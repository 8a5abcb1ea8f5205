# MPI_Comm_create: all processes of a group must pass the same one, in the same order [MPI-5.0 §7.4.2]
# commsplit: -n 4 --topo core:4
from mpi4py import MPI
from commsplit import expect_error, expect_parts, note, world

me = world.Get_rank()
everybody = world.Get_group()

note("The same members in another order: the call is erroneous. Libraries do not detect this.")
expect_error(MPI.ERR_GROUP, world.Create, everybody.Incl([0, 1, 2, 3] if me < 2 else [3, 2, 1, 0]))

note("Groups that overlap: rank 1 is in both. The groups must be disjoint.")
expect_error(MPI.ERR_GROUP, world.Create, everybody.Incl([0, 1] if me < 2 else [1, 2, 3]))

note("Right: the same group on all of its members.")
expect_parts(world.Create(everybody.Incl([0, 1] if me < 2 else [3, 2])), [[0, 1], [3, 2]])

# MPI_Group_range_incl: triplets (first, last, stride), in order; a stride may be negative [MPI-5.0 §7.3.2]
# commsplit: -n 6 --topo core:6
from mpi4py import MPI
from commsplit import expect

world = MPI.COMM_WORLD
everybody = world.Get_group()
group = everybody.Range_incl([(5, 1, -2), (0, 4, 2)])
expect(list(MPI.Group.Translate_ranks(group, [0, 1, 2, 3, 4, 5], everybody)) == [5, 3, 1, 0, 2, 4], "5 3 1, then 0 2 4")
# The last rank is reached only when the stride hits it.
expect(MPI.Group.Compare(everybody.Range_incl([(0, 5, 4)]), everybody.Incl([0, 4])) == MPI.IDENT, "0 and 4")

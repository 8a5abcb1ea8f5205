# MPI_Group_compare: IDENT, SIMILAR (another order) or UNEQUAL [MPI-5.0 §7.3.1]
# commsplit: -n 3 --topo core:3
from mpi4py import MPI
from commsplit import expect

world = MPI.COMM_WORLD
everybody = world.Get_group()
expect(MPI.Group.Compare(everybody, world.Get_group()) == MPI.IDENT, "the same members in the same order")
expect(MPI.Group.Compare(everybody, everybody.Incl([2, 1, 0])) == MPI.SIMILAR, "another order")
expect(MPI.Group.Compare(everybody, everybody.Incl([0, 1])) == MPI.UNEQUAL, "other members")
expect(MPI.Group.Compare(MPI.GROUP_EMPTY, everybody.Incl([])) == MPI.IDENT, "two empty groups")

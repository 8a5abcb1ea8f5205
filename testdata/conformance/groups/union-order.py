# MPI_Group_union: all of the first group, then those of the second that are not in the first [MPI-5.0 §7.3.2]
# commsplit: -n 6 --topo core:6
from mpi4py import MPI
from commsplit import expect

world = MPI.COMM_WORLD
everybody = world.Get_group()
a = everybody.Incl([4, 0, 2])
b = everybody.Incl([5, 2, 1, 4])
both = MPI.Group.Union(a, b)
expect(MPI.Group.Compare(both, everybody.Incl([4, 0, 2, 5, 1])) == MPI.IDENT, "a, then 5 and 1")
both = MPI.Group.Union(b, a)
expect(MPI.Group.Compare(both, everybody.Incl([5, 2, 1, 4, 0])) == MPI.IDENT, "b, then 0")

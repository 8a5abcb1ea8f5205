# MPI_Group_intersection: those of the first group that are in the second, as in the first [MPI-5.0 §7.3.2]
# commsplit: -n 6 --topo core:6
from mpi4py import MPI
from commsplit import expect

world = MPI.COMM_WORLD
everybody = world.Get_group()
a = everybody.Incl([4, 0, 2])
b = everybody.Incl([5, 2, 1, 4])
expect(MPI.Group.Compare(MPI.Group.Intersection(a, b), everybody.Incl([4, 2])) == MPI.IDENT, "the order of a")
expect(MPI.Group.Compare(MPI.Group.Intersection(b, a), everybody.Incl([2, 4])) == MPI.IDENT, "the order of b")

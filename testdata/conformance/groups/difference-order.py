# MPI_Group_difference: those of the first group that are not in the second, as in the first [MPI-5.0 §7.3.2]
# commsplit: -n 6 --topo core:6
from mpi4py import MPI
from commsplit import expect

world = MPI.COMM_WORLD
everybody = world.Get_group()
a = everybody.Incl([4, 0, 2])
b = everybody.Incl([5, 2, 1, 4])
expect(MPI.Group.Compare(MPI.Group.Difference(b, a), everybody.Incl([5, 1])) == MPI.IDENT, "b without 2 and 4")
expect(MPI.Group.Compare(MPI.Group.Difference(a, b), everybody.Incl([0])) == MPI.IDENT, "a without 4 and 2")

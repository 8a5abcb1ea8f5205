# MPI_Group_difference: a result may be empty, that is MPI_GROUP_EMPTY [MPI-5.0 §7.3.2]
# commsplit: -n 4 --topo core:4
from mpi4py import MPI
from commsplit import expect

world = MPI.COMM_WORLD
everybody = world.Get_group()
for empty in [
    MPI.Group.Difference(everybody, everybody),
    MPI.Group.Intersection(everybody.Incl([0]), everybody.Incl([1])),
    MPI.Group.Union(MPI.GROUP_EMPTY, MPI.GROUP_EMPTY),
    everybody.Excl([0, 1, 2, 3]),
]:
    expect(MPI.Group.Compare(empty, MPI.GROUP_EMPTY) == MPI.IDENT, "the empty group")

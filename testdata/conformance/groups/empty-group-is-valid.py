# MPI_Group_union: MPI_GROUP_EMPTY is a valid group, unlike MPI_GROUP_NULL [MPI-5.0 §7.2.1]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
from commsplit import expect

world = MPI.COMM_WORLD
everybody = world.Get_group()
expect(MPI.GROUP_EMPTY != MPI.GROUP_NULL, "two handles")
expect(MPI.Group.Compare(MPI.Group.Union(MPI.GROUP_EMPTY, everybody), everybody) == MPI.IDENT, "adds nobody")

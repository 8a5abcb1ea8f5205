# MPI_Group_range_excl: is MPI_Group_excl of the ranks of the triplets [MPI-5.0 §7.3.2]
# commsplit: -n 6 --topo core:6
from mpi4py import MPI
from commsplit import expect

world = MPI.COMM_WORLD
everybody = world.Get_group()
expect(MPI.Group.Compare(everybody.Range_excl([(0, 5, 3)]), everybody.Excl([0, 3])) == MPI.IDENT, "without 0 and 3")
expect(MPI.Group.Compare(everybody.Range_excl([(4, 0, -2)]), everybody.Incl([1, 3, 5])) == MPI.IDENT, "without 4 2 0")

# MPI_Comm_compare: IDENT, CONGRUENT (another context), SIMILAR (another order) or UNEQUAL [MPI-5.0 §7.4.1]
# commsplit: -n 4 --topo core:4
from mpi4py import MPI
from commsplit import expect

world = MPI.COMM_WORLD
me = world.Get_rank()
expect(MPI.Comm.Compare(world, world) == MPI.IDENT, "the same object")
expect(MPI.Comm.Compare(world, world.Split(0, me)) == MPI.CONGRUENT, "the same group in another context")
expect(MPI.Comm.Compare(world, world.Split(0, -me)) == MPI.SIMILAR, "the same members in another order")
expect(MPI.Comm.Compare(world, world.Split(me % 2, 0)) == MPI.UNEQUAL, "other members")

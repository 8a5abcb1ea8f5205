# MPI_Comm_compare: of intercommunicators, both groups must match; one of each kind are unequal [MPI-5.0 §7.6.1]
# commsplit: -n 6 --topo core:6
from mpi4py import MPI
from commsplit import expect

world = MPI.COMM_WORLD
me = world.Get_rank()
half = world.Split(me % 2, me)  # evens and odds
inter = half.Create_intercomm(0, world, 1 - me % 2)
expect(MPI.Comm.Compare(inter, inter) == MPI.IDENT, "the same handle")
expect(MPI.Comm.Compare(inter, inter.Dup()) == MPI.CONGRUENT, "another context")
reordered = inter.Split(0, -me)
expect(MPI.Comm.Compare(inter, reordered) == MPI.SIMILAR, "another order")
smaller = inter.Split(0 if me != 5 else MPI.UNDEFINED, 0)
if me != 5:
    expect(MPI.Comm.Compare(inter, smaller) == MPI.UNEQUAL, "one member fewer")
expect(MPI.Comm.Compare(inter, half) == MPI.UNEQUAL, "an intercommunicator and an intracommunicator")

# MPI_Group_translate_ranks: ranks of the same processes; MPI_UNDEFINED where there is none [MPI-5.0 §7.3.1]
# commsplit: -n 4 --topo core:4
from mpi4py import MPI
from commsplit import expect

world = MPI.COMM_WORLD
everybody = world.Get_group()
a = everybody.Incl([3, 2, 1])
b = everybody.Incl([1, 3])
expect(list(MPI.Group.Translate_ranks(a, [0, 1, 2], b)) == [1, MPI.UNDEFINED, 0], "3 is 1 in b, 2 is not there, 1 is 0")
expect(list(MPI.Group.Translate_ranks(a, [], b)) == [], "nothing to translate")

# MPI_Group_incl: rank i of newgroup is the process with rank ranks[i] [MPI-5.0 §7.3.2]
# commsplit: -n 4 --topo core:4
from mpi4py import MPI
from commsplit import expect

world = MPI.COMM_WORLD
me = world.Get_rank()
reverse = world.Split(0, -me).Get_group()
picked = reverse.Incl([2, 0])  # world ranks 1 and 3
ranks = list(MPI.Group.Translate_ranks(picked, [0, 1], world.Get_group()))
expect(ranks == [1, 3], "ranks of the group, in the order given")
expect(MPI.Group.Compare(reverse.Incl([]), MPI.GROUP_EMPTY) == MPI.IDENT, "of nobody, the empty group")

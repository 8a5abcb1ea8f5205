# MPI_Group_excl: deletes the given ranks; the order of the others is that of group [MPI-5.0 §7.3.2]
# commsplit: -n 4 --topo core:4
from mpi4py import MPI
from commsplit import expect

world = MPI.COMM_WORLD
me = world.Get_rank()
reverse = world.Split(0, -me).Get_group()
rest = reverse.Excl([1])  # without world rank 2
expect(list(MPI.Group.Translate_ranks(rest, [0, 1, 2], world.Get_group())) == [3, 1, 0], "the order of the group")
expect(MPI.Group.Compare(reverse.Excl([]), reverse) == MPI.IDENT, "without nobody, the same")

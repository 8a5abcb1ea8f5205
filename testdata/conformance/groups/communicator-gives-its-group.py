# MPI_Comm_group: gives the group of a communicator, in its order [MPI-5.0 §7.3.2]
# commsplit: -n 4 --topo core:4
from mpi4py import MPI
from commsplit import expect

world = MPI.COMM_WORLD
me = world.Get_rank()
reverse = world.Split(0, -me)
group = reverse.Get_group()
ranks = list(MPI.Group.Translate_ranks(group, [0, 1, 2, 3], world.Get_group()))
expect(ranks == [3, 2, 1, 0], "the order of the communicator")
expect(group.Get_rank() == reverse.Get_rank() and group.Get_size() == 4, "the same rank and size")

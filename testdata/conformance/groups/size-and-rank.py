# MPI_Group_rank: the rank of the calling process, MPI_UNDEFINED for one that is not a member [MPI-5.0 §7.3.1]
# commsplit: -n 4 --topo core:4
from mpi4py import MPI
from commsplit import expect

world = MPI.COMM_WORLD
me = world.Get_rank()
group = world.Get_group().Incl([3, 1])
ranks = {3: 0, 1: 1}
expect(group.Get_size() == 2, "two members")
expect(group.Get_rank() == ranks.get(me, MPI.UNDEFINED), "3 is first, 1 second")
expect(MPI.GROUP_EMPTY.Get_size() == 0 and MPI.GROUP_EMPTY.Get_rank() == MPI.UNDEFINED, "nobody")

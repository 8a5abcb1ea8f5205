# MPI_Comm_create: is a split with the number of the group as color and the rank in it as key [MPI-5.0 §7.4.2]
# commsplit: -n 6 --topo core:6
from mpi4py import MPI
from commsplit import expect, expect_parts

world = MPI.COMM_WORLD
everybody = world.Get_group()
groups = [everybody.Incl([5, 0]), everybody.Incl([3, 1, 4])]
number = -1
for i in range(2):
    if groups[i].Get_rank() != MPI.UNDEFINED:
        number = i
created = world.Create(groups[number] if number >= 0 else MPI.GROUP_EMPTY)
if number >= 0:
    split = world.Split(number, groups[number].Get_rank())
    expect(MPI.Comm.Compare(created, split) == MPI.CONGRUENT, "the same communicators")
else:
    split = world.Split(MPI.UNDEFINED, 0)
    expect(created == MPI.COMM_NULL and split == MPI.COMM_NULL, "neither has a communicator for rank 2")
expect_parts(split, [[5, 0], [3, 1, 4]])

# MPI_Comm_create is MPI_Comm_split with the number of the group as color and the rank in it as key [MPI-5.0 §7.4.2]
# commsplit: -n 8 --topo core:8
from mpi4py import MPI
from commsplit import expect, expect_parts, note, world

note("Three disjoint groups, numbered 0, 1 and 2. Rank 7 is in none.")
me = world.Get_rank()
groups = [[6, 0], [1, 5, 2], [4, 3]]
number = [i for i in range(len(groups)) if me in groups[i]]

by_create = world.Create(world.Get_group().Incl(groups[number[0]]) if number else MPI.GROUP_EMPTY)

note("The same as a split: color = number of the group, key = rank in the group; MPI_UNDEFINED for a process in no group.")
color = number[0] if number else MPI.UNDEFINED
key = groups[number[0]].index(me) if number else 0
by_split = world.Split(color, key)

expect_parts(by_create, [[6, 0], [1, 5, 2], [4, 3]])
expect_parts(by_split, [[6, 0], [1, 5, 2], [4, 3]])
if number:
    expect(MPI.Comm.Compare(by_create, by_split) == MPI.CONGRUENT, "the same members in the same order")
else:
    expect(by_create == MPI.COMM_NULL and by_split == MPI.COMM_NULL, "nothing, by both calls")

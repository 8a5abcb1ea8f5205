# MPI_Comm_create with disjoint groups, and MPI_Comm_create_group told apart by tags.
from mpi4py import MPI

world = MPI.COMM_WORLD
me = world.Get_rank()
everybody = world.Get_group()


def show(what, comm):
    if comm == MPI.COMM_NULL:
        print(what, "null")
    else:
        print(what, comm.Get_rank(), "of", comm.Get_size(), comm.allgather(me))


show("some", world.Create(everybody.Incl([3, 1, 4])))
show("disjoint", world.Create(everybody.Incl([2, 0]) if me in [0, 2] else everybody.Incl([5, 3, 1])))
show("empty", world.Create(MPI.GROUP_EMPTY))
show("all, reversed", world.Create(everybody.Range_incl([(5, 0, -1)])))

# Only the members call.
if me in [1, 4, 5]:
    show("members", world.Create_group(everybody.Incl([5, 1, 4]), 3))
if me % 2 == 0:
    show("even", world.Create_group(everybody.Range_incl([(4, 0, -2)]), 1))

# Two groups that share rank 2: the tag and the order of the calls tell them apart.
first = everybody.Incl([0, 2])
second = everybody.Incl([2, 3])
if me in [0, 2]:
    show("first", world.Create_group(first, 11))
if me in [2, 3]:
    show("second", world.Create_group(second, 12))

# Of a communicator that is not the world, with ranks of that one.
half = world.Split(me % 2, -me)
show("of a half", half.Create(half.Get_group().Incl([2, 0])))

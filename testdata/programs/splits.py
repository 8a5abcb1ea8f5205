# Splits with keys and MPI_UNDEFINED, and splits of splits.
from mpi4py import MPI

world = MPI.COMM_WORLD
me = world.Get_rank()
n = world.Get_size()


def show(what, comm):
    if comm == MPI.COMM_NULL:
        print(what, "null")
    else:
        print(what, comm.Get_rank(), "of", comm.Get_size(), comm.allgather(me))


show("reverse", world.Split(0, -me))
show("ties", world.Split(me % 2, me // 3))
show("equal keys", world.Split(me // 4, 7))
show("large keys", world.Split(1, 2147483647 if me % 2 == 0 else -2147483647))

low = world.Split(0 if me < 4 else MPI.UNDEFINED, (me * 3) % 4)
show("low", low)
if low != MPI.COMM_NULL:
    pair = low.Split(low.Get_rank() // 2, -low.Get_rank())
    show("pair", pair)
    alone = pair.Split(pair.Get_rank(), 0)
    show("alone", alone)
    nobody = pair.Split(MPI.UNDEFINED, 0)
    show("nobody", nobody)

# A split of a split is a split by both colors.
rows = world.Split(me // 3, me)
cells = rows.Split(rows.Get_rank() % 2, 0)
both = world.Split((me // 3) * 2 + (me % 3) % 2, 0)
show("cells", cells)
show("both", both)
print("alike", MPI.Comm.Compare(cells, both) == MPI.CONGRUENT or cells.Get_size() == 1)

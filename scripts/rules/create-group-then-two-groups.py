# An intercommunicator over the union of two groups, without the others: create_group comes first [MPI-5.0 §7.4.2]
# commsplit: -n 7 --topo core:7
from mpi4py import MPI
from commsplit import expect, expect_parts, note, world

note("Ranks 1 and 3 want to face ranks 4 and 6. Ranks 0, 2 and 5 make no call.")
me = world.Get_rank()
left, right = [1, 3], [6, 4]
inter = MPI.COMM_NULL
if me in left + right:
    mine, other = (left, right) if me in left else (right, left)
    local = world.Create_group(world.Get_group().Incl(mine), 0)
    inter = local.Create_intercomm(0, world, other[0], 1)
expect_parts(inter, [([1, 3], [6, 4])])
expect((inter == MPI.COMM_NULL) == (me in [0, 2, 5]), "the others hold nothing")

# Keys specified in the same way keep the relative order of the parent group [MPI-5.0 §7.4.2]
# commsplit: -n 6 --topo core:6
from mpi4py import MPI
from commsplit import expect_parts, note, world

me = world.Get_rank()
note("Key 0 on all ranks keeps the order of the parent.")
expect_parts(world.Split(me % 2, 0), [[0, 2, 4], [1, 3, 5]])

note("So does any other key that is the same everywhere.")
expect_parts(world.Split(me % 2, -1234567), [[0, 2, 4], [1, 3, 5]])

note("If the parent has another order, that order stays.")
turned = world.Split(0, -me)
expect_parts(turned.Split(me % 2, 0), [[4, 2, 0], [5, 3, 1]])

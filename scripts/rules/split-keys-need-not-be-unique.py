# For a fixed color the keys need not be unique: ties go by the old rank [MPI-5.0 §7.4.2]
# commsplit: -n 6 --topo core:6
from mpi4py import MPI
from commsplit import expect_parts, note, world

note("Keys 2 1 2 1 1 2: first those with key 1, then those with key 2, and each in the old order.")
me = world.Get_rank()
part = world.Split(0, [2, 1, 2, 1, 1, 2][me])
expect_parts(part, [[1, 3, 4, 0, 2, 5]])

note("The old rank is the rank in the communicator that is split, not in the world.")
back = world.Split(0, -me)
expect_parts(back, [[5, 4, 3, 2, 1, 0]])
expect_parts(back.Split(0, [2, 1, 2, 1, 1, 2][me]), [[4, 3, 1, 5, 2, 0]])

# MPI_Comm_split: one communicator for each color, and the parts do not overlap [MPI-5.0 §7.4.2]
# commsplit: -n 8 --topo core:8
from mpi4py import MPI
from commsplit import expect, expect_parts, note, world

note("The number of parts is not an argument: it is the number of different colors, here 5, 0 and 100.")
me = world.Get_rank()
color = [5, 0, 5, 100, 0, 5, 0, 0][me]
part = world.Split(color, me)
expect_parts(part, [[0, 2, 5], [1, 4, 6, 7], [3]])

note("Every rank is in one part: the sizes add up, each part counted once.")
first = 1 if part.Get_rank() == 0 else 0
expect(world.allreduce(first) == 3, "three parts")
expect(world.allreduce(first * part.Get_size()) == 8, "of eight ranks together")

# MPI_TAG_UB is at least 32767, the same on all processes, and does not change [MPI-5.0 §9.1.2]
# commsplit: -n 3 --topo core:3
from mpi4py import MPI
from commsplit import expect, expect_parts, note, world

note("Tags go from 0 to MPI_TAG_UB, inclusive.")
bound = world.Get_attr(MPI.TAG_UB)
expect(bound >= 32767, "at least 32767")
expect(world.allgather(bound) == [bound, bound, bound], "the same everywhere")

note("The largest tag carries a message.")
me, size = world.Get_rank(), world.Get_size()
outgoing = world.isend(me, dest=(me + 1) % size, tag=bound)
expect(world.recv(source=(me - 1) % size, tag=bound) == (me - 1) % size, "from the left neighbor")
outgoing.wait()
expect(world.Get_attr(MPI.TAG_UB) == bound, "unchanged")
expect_parts(world, [[0, 1, 2]])

# A parallel library duplicates at the beginning of a call and frees at the end [MPI-5.0 §7.4.2]
# commsplit: -n 3 --topo core:3
from mpi4py import MPI
from commsplit import expect, expect_parts, note, world

note("The library passes a number round the ring, with any source and any tag, on a duplicate of its own.")

def library(comm):
    own = comm.Dup()
    me, size = own.Get_rank(), own.Get_size()
    sent = own.isend(me, dest=(me + 1) % size, tag=0)
    got = own.recv(source=MPI.ANY_SOURCE, tag=MPI.ANY_TAG)
    sent.wait()
    own.Free()
    return got

# The user's message is under way while the library is called.
me, size = world.Get_rank(), world.Get_size()
outgoing = world.isend("the user's", dest=(me + 1) % size, tag=0)
expect(library(world) == (me - 1) % size, "the library gets its own message")
expect(world.recv(source=(me - 1) % size, tag=0) == "the user's", "and the user theirs")
outgoing.wait()
expect_parts(world, [[0, 1, 2]])

# MPI_Comm_dup: a message sent in one context cannot be received in another [MPI-5.0 §7.4.2]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
from commsplit import expect

world = MPI.COMM_WORLD
me = world.Get_rank()
library = world.Dup()
other = 1 - me
first = world.isend("user", dest=other, tag=5)
second = library.isend("library", dest=other, tag=5)
expect(library.recv(source=other, tag=5) == "library", "the message of the duplicate")
expect(world.recv(source=other, tag=5) == "user", "the message of the original")
first.wait()
second.wait()

# The tag of MPI_Comm_create_group does not conflict with tags of messages [MPI-5.0 §7.4.2]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
from commsplit import expect, expect_parts, note, world

note("A receive with tag 7 is pending while a communicator is made with tag 7.")
other = 1 - world.Get_rank()
incoming = world.irecv(source=other, tag=7)
made = world.Create_group(world.Get_group(), 7)
world.isend("a message", dest=other, tag=7).wait()
expect(incoming.wait() == "a message", "the receive gets the message, and nothing else")
expect_parts(made, [[0, 1]])

# MPI_Comm_dup is valid while communication on the communicator is pending [MPI-5.0 §7.4.2]
# commsplit: -n 4 --topo core:4
from mpi4py import MPI
from commsplit import expect, expect_parts, note, world

note("Every rank waits for a message of its left neighbor on world, which is not sent yet.")
me, size = world.Get_rank(), world.Get_size()
incoming = world.irecv(source=(me - 1) % size, tag=3)

note("Duplicating world in between is fine, and a message on the duplicate does not meet the receive on world.")
copy = world.Dup()
copy.isend("on the copy", dest=(me + 1) % size, tag=3).wait()
world.isend("on world", dest=(me + 1) % size, tag=3).wait()
expect(incoming.wait() == "on world", "the receive was posted on world")
expect(copy.recv(source=(me - 1) % size, tag=3) == "on the copy", "the other message waits on the copy")
expect_parts(copy, [[0, 1, 2, 3]])

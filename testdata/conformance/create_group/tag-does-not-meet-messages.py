# MPI_Comm_create_group: tag does not conflict with tags of point-to-point communication [MPI-5.0 §7.4.2]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
from commsplit import expect, expect_parts

world = MPI.COMM_WORLD
me = world.Get_rank()
other = 1 - me
incoming = world.irecv(source=other, tag=7)
comm = world.Create_group(world.Get_group(), 7)
world.isend("message", dest=other, tag=7).wait()
expect(incoming.wait() == "message", "the message arrives as if there was no other call")
expect_parts(comm, [[0, 1]])

# MPI_Comm_dup: the call is valid even if point-to-point operations on comm are pending [MPI-5.0 §7.4.2]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
from commsplit import expect, expect_parts

world = MPI.COMM_WORLD
me = world.Get_rank()
other = 1 - me
incoming = world.irecv(source=other, tag=1)
copy = world.Dup()
world.isend(me + 10, dest=other, tag=1).wait()
expect(incoming.wait() == other + 10, "the message arrives on the original")
expect_parts(copy, [[0, 1]])

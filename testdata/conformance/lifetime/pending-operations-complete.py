# MPI_Comm_free: pending operations that use the communicator complete normally [MPI-5.0 §7.4.3]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
from commsplit import expect

world = MPI.COMM_WORLD
me = world.Get_rank()
part = world.Split(0, me)
other = 1 - me
incoming = part.irecv(source=other, tag=0)
outgoing = part.isend("late", dest=other, tag=0)
part.Free()
expect(incoming.wait() == "late", "the message arrives")
outgoing.wait()

# MPI_Comm_disconnect: waits for all pending communication and makes the handle MPI_COMM_NULL [MPI-5.0 §11.10.4]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
from commsplit import expect

world = MPI.COMM_WORLD
me = world.Get_rank()
part = world.Split(0, me)
other = 1 - me
incoming = part.irecv(source=other, tag=0)
part.send("before", dest=other, tag=0)
expect(incoming.wait() == "before", "completed by the user")
part.Disconnect()
expect(part == MPI.COMM_NULL, "the handle is null")

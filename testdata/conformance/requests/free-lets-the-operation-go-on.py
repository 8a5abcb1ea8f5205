# MPI_Request_free: the handle is null, and the operation completes [MPI-5.0 §3.7.3]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
from commsplit import expect

world = MPI.COMM_WORLD
me = world.Get_rank()
if me == 0:
    request = world.isend("sent", 1)
    request.Free()
    expect(request == MPI.REQUEST_NULL)
else:
    expect(world.recv(source=0) == "sent")

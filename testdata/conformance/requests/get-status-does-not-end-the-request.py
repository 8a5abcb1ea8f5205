# MPI_Request_get_status: tells whether the operation is complete, and leaves the request [MPI-5.0 §3.7.6]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
from commsplit import expect

world = MPI.COMM_WORLD
me = world.Get_rank()
request = world.irecv(source=1 - me, tag=5)
expect(not request.Get_status(), "nothing was sent")
world.Barrier()
world.send("there", 1 - me, tag=5)
status = MPI.Status()
while not request.Get_status(status):
    pass
expect(status.Get_source() == 1 - me)
expect(request != MPI.REQUEST_NULL)
expect(request.wait() == "there")
expect(request == MPI.REQUEST_NULL)
expect(request.Get_status(), "a null request is complete")

# MPI_Cancel: an operation that has met its other side completes normally [MPI-5.0 §3.8.4]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
from commsplit import expect

world = MPI.COMM_WORLD
me = world.Get_rank()
if me == 0:
    world.send("in time", 1)
    world.Barrier()
else:
    request = world.irecv(source=0)
    while not request.Get_status():
        pass
    request.Cancel()
    status = MPI.Status()
    expect(request.wait(status) == "in time")
    expect(not status.Is_cancelled())
    world.Barrier()

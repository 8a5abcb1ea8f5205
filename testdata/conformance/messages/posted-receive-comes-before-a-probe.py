# MPI_Mprobe: a receive that was posted before it takes the first message [MPI-5.0 §3.8.2]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
from commsplit import expect

world = MPI.COMM_WORLD
me = world.Get_rank()
if me == 0:
    world.Barrier()
    world.send("first", 1)
    world.send("second", 1)
else:
    request = world.irecv(source=0)
    world.Barrier()
    message = world.mprobe(source=0)
    expect(request.wait() == "first")
    expect(message.recv() == "second")

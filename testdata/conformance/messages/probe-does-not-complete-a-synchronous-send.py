# MPI_Mprobe: matching a message does not start to receive it: the synchronous send goes on [MPI-5.0 §3.8.3]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
from commsplit import expect

world = MPI.COMM_WORLD
me = world.Get_rank()
if me == 0:
    request = world.issend("probed", 1)
    world.Barrier()
    world.recv(source=1)
    expect(not request.Test(), "matched, not received")
    world.send("go", 1)
    request.Wait()
else:
    world.Barrier()
    message = world.mprobe(source=0)
    world.send("matched", 0)
    world.recv(source=0, tag=0)
    expect(message.recv() == "probed")

# MPI_Improbe: without a matching message it gives none [MPI-5.0 §3.8.2]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
from commsplit import expect

world = MPI.COMM_WORLD
me = world.Get_rank()
expect(world.improbe(source=1 - me, tag=9) == None, "no message was sent")
world.Barrier()
world.send(me, 1 - me, tag=9)
message = None
while message == None:
    message = world.improbe(source=1 - me, tag=9)
expect(message.recv() == 1 - me)

# MPI_Testsome: without a complete request it gives none [MPI-5.0 §3.7.5]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
from commsplit import expect

world = MPI.COMM_WORLD
me = world.Get_rank()
requests = [world.irecv(source=1 - me, tag=5)]
expect(MPI.Request.Testsome(requests) == [], "nothing was sent")
world.Barrier()
world.send(me, 1 - me, tag=5)
indices, values = [], []
while indices == []:
    indices, values = MPI.Request.testsome(requests)
expect(indices == [0])
expect(values == [1 - me])

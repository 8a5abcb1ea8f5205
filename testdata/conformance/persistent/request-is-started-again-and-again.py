# MPI_Startall: a persistent request sends and receives what its buffer holds then, each time that it is started [MPI-5.0 §3.9]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
import numpy as np
from commsplit import expect

world = MPI.COMM_WORLD
me = world.Get_rank()
other = 1 - me
mine, got = np.zeros(1, "i"), np.zeros(1, "i")
requests = [world.Send_init(mine, other, 4), world.Recv_init(got, other, 4)]
for round in range(3):
    mine[0] = 10 * me + round
    MPI.Prequest.Startall(requests)
    MPI.Request.Waitall(requests)
    expect(got[0] == 10 * other + round)
for request in requests:
    request.Free()
    expect(request == MPI.REQUEST_NULL)

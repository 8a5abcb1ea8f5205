# MPI_Request_free: an active send of a persistent request goes on, and the request ends after it [MPI-5.0 §3.9]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
import numpy as np
from commsplit import expect

world = MPI.COMM_WORLD
me = world.Get_rank()
if me == 0:
    request = world.Send_init(np.array([7], "i"), 1)
    request.Start()
    request.Free()
    expect(request == MPI.REQUEST_NULL)
else:
    got = np.zeros(1, "i")
    world.Recv(got, source=0)
    expect(got[0] == 7)

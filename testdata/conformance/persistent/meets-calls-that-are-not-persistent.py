# MPI_Ssend_init: what a persistent request sends, any receive can receive, and vice versa [MPI-5.0 §3.9]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
import numpy as np
from commsplit import expect

world = MPI.COMM_WORLD
me = world.Get_rank()
data = np.array([me + 1], "i")
if me == 0:
    request = world.Ssend_init(data, 1)
    request.Start()
    request.Wait()
    request.Free()
    world.Send(data, 1)
else:
    world.Recv(data, source=0)
    expect(data[0] == 1)
    data[0] = 0
    request = world.Recv_init(data, source=0)
    request.Start()
    request.Wait()
    expect(data[0] == 1)
    request.Free()

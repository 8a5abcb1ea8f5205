# MPI_Cancel: a started persistent receive can be cancelled, which makes the request inactive [MPI-5.0 §3.8.4]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
import numpy as np
from commsplit import expect

world = MPI.COMM_WORLD
me = world.Get_rank()
request = world.Recv_init(np.zeros(1, "i"), source=me)
status = MPI.Status()
for round in range(2):
    request.Start()
    request.Cancel()
    request.Wait(status)
    expect(status.Is_cancelled())
request.Free()

# MPI_Send_init: a persistent request still refers to the communicator, which goes only after it [MPI-5.0 §7.4.3]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
import numpy as np
from commsplit import expect

world = MPI.COMM_WORLD
me = world.Get_rank()
copy = world.Dup()
other = 1 - me
got = np.zeros(1, "i")
requests = [copy.Send_init(np.array([me], "i"), other), copy.Recv_init(got, other)]
copy.Free()
MPI.Prequest.Startall(requests)
MPI.Request.Waitall(requests)
expect(got[0] == other)
for request in requests:
    request.Free()

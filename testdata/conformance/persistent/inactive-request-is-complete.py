# MPI_Recv_init: an inactive persistent request completes at once with an empty status, and stays [MPI-5.0 §3.7.3]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
import numpy as np
from commsplit import expect

world = MPI.COMM_WORLD
me = world.Get_rank()
request = world.Recv_init(np.zeros(1, "i"), source=MPI.ANY_SOURCE)
status = MPI.Status()
request.Wait(status)
expect((status.source, status.tag) == (MPI.ANY_SOURCE, MPI.ANY_TAG))
expect(request.Test())
expect(MPI.Request.Waitany([request, request]) == MPI.UNDEFINED)
expect(request != MPI.REQUEST_NULL)
request.Free()

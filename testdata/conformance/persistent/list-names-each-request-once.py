# MPI_Startall: a request that the list names twice is active the second time [MPI-5.0 §3.9]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
import numpy as np
from commsplit import expect_error

world = MPI.COMM_WORLD
if world.Get_rank() == 0:
    request = world.Recv_init(np.zeros(1, "i"), source=1)
    expect_error(MPI.ERR_REQUEST, MPI.Prequest.Startall, [request, request])
    request.Free()

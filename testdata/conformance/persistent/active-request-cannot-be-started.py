# MPI_Start: the request must be inactive [MPI-5.0 §3.9]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
import numpy as np
from commsplit import expect, expect_error

world = MPI.COMM_WORLD
me = world.Get_rank()
if me == 0:
    request = world.Recv_init(np.zeros(1, "i"), source=1)
    request.Start()
    expect_error(MPI.ERR_REQUEST, request.Start)
    world.Barrier()
    request.Wait()
    request.Free()
else:
    world.Barrier()
    world.Send(np.zeros(1, "i"), 0)

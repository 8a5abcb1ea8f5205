# MPI_Rsend_init: at each start the matching receive must be posted [MPI-5.0 §3.9]
# commsplit: -n 2 --topo core:2
# ends: 3 a ready send may start only after the matching receive is posted, and rank 0 had not posted it
from mpi4py import MPI
import numpy as np
from commsplit import expect

world = MPI.COMM_WORLD
me = world.Get_rank()
data = np.zeros(1, "i")
request = world.Rsend_init(data, 0) if me else world.Recv_init(data, source=1)
for round in range(2):
    if me == 0 and round == 0:
        request.Start()
    world.Barrier()
    if me == 1:
        request.Start()
    if me == 1 or round == 0:
        request.Wait()

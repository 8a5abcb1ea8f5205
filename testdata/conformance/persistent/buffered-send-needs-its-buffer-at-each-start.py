# MPI_Bsend_init: each start takes room in the attached buffer, as a buffered send does [MPI-5.0 §3.9]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
import numpy as np
from commsplit import expect

world = MPI.COMM_WORLD
me = world.Get_rank()
mine, got = np.array([me], "i"), np.zeros(1, "i")
request = world.Bsend_init(mine, 1 - me)
MPI.Attach_buffer(np.zeros(1000, "b"))
for round in range(2):
    mine[0] = me + round
    request.Start()
    request.Wait()
    world.Recv(got, source=1 - me)
    expect(got[0] == 1 - me + round)
MPI.Detach_buffer()
request.Free()

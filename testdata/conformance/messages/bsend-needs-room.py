# MPI_Bsend: the buffer must have room for all messages that are not transmitted yet, and MPI_BSEND_OVERHEAD for each [MPI-5.0 §3.6]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
import numpy as np
from commsplit import expect, expect_error

world = MPI.COMM_WORLD
me = world.Get_rank()
part = world.Split(0, me)
got, mine = np.zeros(100000, "b"), np.ones(100000, "b")
MPI.Attach_buffer(np.zeros(100000 + 2 * MPI.BSEND_OVERHEAD, "b"))
if me == 0:
    part.Bsend(mine, 1)
    expect_error(MPI.ERR_BUFFER, part.Bsend, mine, 1)
    part.Barrier()
else:
    part.Barrier()
    part.Recv(got, source=0)
    expect(got.sum() == 100000)
part.Barrier()
MPI.Detach_buffer()

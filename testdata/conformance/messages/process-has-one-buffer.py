# MPI_Buffer_attach: the buffer serves all communicators of the process, which has one at a time [MPI-5.0 §3.6]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
import numpy as np
from commsplit import expect, expect_error

world = MPI.COMM_WORLD
me = world.Get_rank()
part = world.Split(0, me)
MPI.Attach_buffer(np.zeros(10000, "b"))
expect_error(MPI.ERR_BUFFER, MPI.Attach_buffer, np.zeros(10000, "b"))
got = np.zeros(2, "i")
for comm in [world, part]:
    comm.Bsend(np.array([me, 5], "i"), 1 - me)
    comm.Recv(got, source=1 - me)
    expect(list(got) == [1 - me, 5])
MPI.Detach_buffer()
expect_error(MPI.ERR_BUFFER, MPI.Detach_buffer)

# MPI_Rsend: a ready send whose receive is posted is received as a standard one [MPI-5.0 §3.4]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
import numpy as np
from commsplit import world, expect

got = np.zeros(1, "i")
if world.rank == 0:
    request = world.Irecv(got, source=1)
world.Barrier()
if world.rank == 1:
    world.Rsend(np.array([7], "i"), 0)
else:
    request.Wait()
    expect(got[0] == 7)

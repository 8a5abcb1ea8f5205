# MPI_Rsend: a posted receive with another tag is none that matches a ready send [MPI-5.0 §3.4]
# commsplit: -n 2 --topo core:2
# ends: 3 a ready send may start only after the matching receive is posted, and rank 0 had not posted it
from mpi4py import MPI
import numpy as np

world = MPI.COMM_WORLD
if world.Get_rank() == 0:
    request = world.Irecv(np.zeros(1, "i"), source=1, tag=3)
world.Barrier()
if world.Get_rank() == 1:
    world.Rsend(np.array([7], "i"), 0, tag=4)
else:
    request.Wait()

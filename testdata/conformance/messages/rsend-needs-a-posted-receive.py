# MPI_Rsend: a ready send may be started only if the matching receive is posted, otherwise it is erroneous [MPI-5.0 §3.4]
# commsplit: -n 2 --topo core:2
# ends: 3 a ready send may start only after the matching receive is posted, and rank 0 had not posted it
from mpi4py import MPI
import numpy as np

world = MPI.COMM_WORLD
if world.Get_rank() == 1:
    world.Rsend(np.array([7], "i"), 0)
else:
    world.Recv(np.zeros(1, "i"), source=1)

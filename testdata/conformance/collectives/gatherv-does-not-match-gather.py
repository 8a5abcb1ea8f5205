# MPI_Gatherv: all processes of a communicator make the same collective call [MPI-5.0 §6.1]
# commsplit: -n 2 --topo core:2
# ends: 4 let these ranks make the same call
from mpi4py import MPI
import numpy as np
from commsplit import expect

world = MPI.COMM_WORLD
me = world.Get_rank()
if me == 0:
    world.Gather(np.zeros(1, "i"), np.zeros(2, "i"))
else:
    world.Gatherv(np.zeros(1, "i"), None)

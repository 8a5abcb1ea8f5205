# MPI_Bcast_init: initialization follows the order of collective calls [MPI-5.0 §6.13]
# commsplit: -n 2 --topo core:2
# ends: 4 DEADLOCK
from mpi4py import MPI
import numpy as np
from commsplit import expect

world = MPI.COMM_WORLD
me = world.Get_rank()
a = np.zeros(1, "i")
if me == 0:
    world.Bcast_init(a)
    world.Barrier()
else:
    world.Barrier()
    world.Bcast_init(a)

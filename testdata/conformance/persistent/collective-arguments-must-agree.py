# MPI_Reduce_init: all processes name the same root, as in the blocking call [MPI-5.0 §6.13.7]
# commsplit: -n 2 --topo core:2
# ends: 3 all processes must name the same root
from mpi4py import MPI
import numpy as np
from commsplit import expect

world = MPI.COMM_WORLD
me = world.Get_rank()
world.Reduce_init(np.zeros(1), np.zeros(1), root=me)

# MPI_Gatherv: the root expects as many elements as the process sends [MPI-5.0 §6.5]
# commsplit: -n 2 --topo core:2
# ends: 3 rank 1 sends 2 elements, but the receive buffer has room for 3: both counts must be equal
from mpi4py import MPI
import numpy as np
from commsplit import expect

world = MPI.COMM_WORLD
me = world.Get_rank()
world.Gatherv(np.zeros(2, "i"), [np.zeros(5, "i"), (2, 3), (0, 2), MPI.INT], root=0)

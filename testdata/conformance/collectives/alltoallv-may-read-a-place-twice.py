# MPI_Alltoallv: parts that are sent may overlap, parts that are received not [MPI-5.0 §6.8]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
import numpy as np
from commsplit import expect

world = MPI.COMM_WORLD
me = world.Get_rank()
got = np.zeros(4, "i")
world.Alltoallv([np.array([me, 7], "i"), (2, 2), (0, 0), MPI.INT], [got, (2, 2), (0, 2), MPI.INT])
expect(list(got) == [0, 7, 1, 7])

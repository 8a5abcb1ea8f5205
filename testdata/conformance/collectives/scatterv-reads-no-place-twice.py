# MPI_Scatterv: counts and displacements must not let a place be read more than once [MPI-5.0 §6.6]
# commsplit: -n 2 --topo core:2
# ends: 3 counts and displacements must not make the call read an element of the buffer twice
from mpi4py import MPI
import numpy as np
from commsplit import expect

world = MPI.COMM_WORLD
me = world.Get_rank()
world.Scatterv([np.zeros(4, "i"), (2, 2), (0, 1), MPI.INT] if me == 0 else None, np.zeros(2, "i"), root=0)

# MPI_Gatherv: counts and displacements must not let a place be written more than once [MPI-5.0 §6.5]
# commsplit: -n 2 --topo core:2
# ends: 3 the parts of ranks 0 and 1 overlap: by counts and displacements, no place of the buffer may be written more than once
from mpi4py import MPI
import numpy as np
from commsplit import expect

world = MPI.COMM_WORLD
me = world.Get_rank()
world.Gatherv(np.zeros(2, "i"), [np.zeros(4, "i"), (2, 2), (0, 1), MPI.INT], root=0)

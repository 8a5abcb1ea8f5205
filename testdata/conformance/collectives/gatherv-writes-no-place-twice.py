# MPI_Gatherv: counts and displacements must not let a place be written more than once [MPI-5.0 §6.5]
# commsplit: -n 2 --topo core:2
# ends: 3 the parts of ranks 0 and 1 overlap: counts and displacements must not make the call write an element of the buffer twice
from mpi4py import MPI
import numpy as np
from commsplit import expect

world = MPI.COMM_WORLD
me = world.Get_rank()
world.Gatherv(np.zeros(2, "i"), [np.zeros(4, "i"), (2, 2), (0, 1), MPI.INT], root=0)

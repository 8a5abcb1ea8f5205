# MPI_Iallreduce: a nonblocking collective call does not match a blocking one [MPI-5.0 §6.12]
# commsplit: -n 2 --topo core:2
# ends: 4 does not match a blocking one
from mpi4py import MPI
import numpy as np

world = MPI.COMM_WORLD
me = world.Get_rank()
mine, got = np.array([me]), np.zeros(1, "int")
if me == 0:
    world.Allreduce(mine, got)
else:
    world.Iallreduce(mine, got).Wait()

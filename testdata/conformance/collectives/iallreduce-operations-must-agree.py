# MPI_Iallreduce: all processes pass the same operation [MPI-5.0 §6.12.8]
# commsplit: -n 2 --topo core:2
# ends: 3 all processes must name the same operation: rank 0 passes MPI_SUM; rank 1 passes MPI_MAX
from mpi4py import MPI
import numpy as np

world = MPI.COMM_WORLD
me = world.Get_rank()
world.Iallreduce(np.array([me]), np.zeros(1, "int"), op=MPI.MAX if me else MPI.SUM).Wait()

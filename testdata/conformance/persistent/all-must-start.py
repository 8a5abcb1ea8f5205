# MPI_Start: once a process starts a persistent collective operation, all others must [MPI-5.0 §6.13]
# commsplit: -n 2 --topo core:2
# ends: 4 Once a process starts a persistent collective operation, all other processes of the communicator must start it, too
from mpi4py import MPI
import numpy as np
from commsplit import expect

world = MPI.COMM_WORLD
me = world.Get_rank()
request = world.Barrier_init()
if me == 0:
    request.Start()
    request.Wait()

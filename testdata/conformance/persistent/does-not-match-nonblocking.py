# MPI_Barrier_init: persistent operations match neither blocking nor nonblocking calls [MPI-5.0 §6.13]
# commsplit: -n 2 --topo core:2
# ends: 4 let rank 1 call MPI_Start too
from mpi4py import MPI
import numpy as np
from commsplit import expect

world = MPI.COMM_WORLD
me = world.Get_rank()
request = world.Barrier_init()
if me == 0:
    request.Start()
    request.Wait()
else:
    world.Ibarrier().Wait()

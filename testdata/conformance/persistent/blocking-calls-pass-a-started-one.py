# MPI_Start: a started persistent operation holds up no other collective call of its communicator [MPI-5.0 §6.13]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
import numpy as np
from commsplit import expect

world = MPI.COMM_WORLD
me = world.Get_rank()
request = world.Barrier_init()
if me == 0:
    request.Start()
expect(world.allreduce(me) == 1)
if me == 1:
    request.Start()
request.Wait()
request.Free()

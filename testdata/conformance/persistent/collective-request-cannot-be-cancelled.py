# MPI_Cancel: requests of persistent collective operations cannot be cancelled, and not be freed while active [MPI-5.0 §3.9]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
import numpy as np
from commsplit import expect, expect_error

world = MPI.COMM_WORLD
me = world.Get_rank()
request = world.Barrier_init()
request.Start()
expect_error(MPI.ERR_REQUEST, request.Cancel)
expect_error(MPI.ERR_REQUEST, request.Free)
request.Wait()
request.Free()

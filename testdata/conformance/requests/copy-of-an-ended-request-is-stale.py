# MPI_Wait: a copy of the handle of a request that was waited for is not a request any more [MPI-5.0 §3.7.3]
# commsplit: -n 2 --topo core:2
# ends: 3 the handle is a copy
from mpi4py import MPI

world = MPI.COMM_WORLD
me = world.Get_rank()
request = world.isend("sent", 1 - me)
copy = MPI.Request(request)
world.recv(source=1 - me)
request.Wait()
copy.Wait()

# MPI_Ibarrier: a process may communicate before it completes the call [MPI-5.0 §6.12]
# commsplit: -n 3 --topo core:3
from mpi4py import MPI
from commsplit import expect

world = MPI.COMM_WORLD
me = world.Get_rank()
request = world.Ibarrier()
expect(world.allgather(me) == [0, 1, 2], "a blocking call after it")
request.Wait()
expect(request == MPI.REQUEST_NULL)

# MPI_Ibarrier: the request is complete only when all processes have made the call [MPI-5.0 §6.12.1]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
from commsplit import expect

world = MPI.COMM_WORLD
me = world.Get_rank()
if me == 0:
    request = world.Ibarrier()
    expect(not request.Test(), "rank 1 waits for a message before its call")
    world.send("go", 1)
    request.Wait()
else:
    world.recv(source=0)
    world.Ibarrier().Wait()

# MPI_Iallreduce: the request is complete only when all processes have made the call; then it has the result [MPI-5.0 §6.12.8]
# commsplit: -n 3 --topo core:3
from mpi4py import MPI
import numpy as np
from commsplit import expect

world = MPI.COMM_WORLD
me = world.Get_rank()
got = np.zeros(1, "i")
if me == 0:
    request = world.Iallreduce(np.array([10], "i"), got, op=MPI.MAX)
    expect(not request.Test(), "the others wait for a message before their calls")
    for other in [1, 2]:
        world.send("go", other)
    request.Wait()
else:
    world.recv(source=0)
    world.Iallreduce(np.array([10 + me], "i"), got, op=MPI.MAX).Wait()
expect(got[0] == 12)

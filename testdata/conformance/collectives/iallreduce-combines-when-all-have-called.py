# MPI_Iallreduce: the request is complete only when all processes have made the call; then it has the result [MPI-5.0 §6.12.8]
# commsplit: -n 3 --topo core:3
from mpi4py import MPI
from commsplit import expect

world = MPI.COMM_WORLD
me = world.Get_rank()
if me == 0:
    request = world.iallreduce(10, op=MPI.MAX)
    expect(request.test() == (False, None), "the others wait for a message before their calls")
    for other in [1, 2]:
        world.send("go", other)
    expect(request.wait() == 12)
else:
    world.recv(source=0)
    expect(world.iallreduce(10 + me, op=MPI.MAX).wait() == 12)

# MPI_Waitsome: waits until one is complete, and ends all that are [MPI-5.0 §3.7.5]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
from commsplit import expect

world = MPI.COMM_WORLD
me = world.Get_rank()
if me == 0:
    world.send("a", 1, tag=0)
    world.send("c", 1, tag=2)
    world.recv(source=1)
    world.send("b", 1, tag=1)
else:
    requests = [world.irecv(source=0, tag=k) for k in range(3)]
    found = {}
    while len(found) < 2:
        indices, values = MPI.Request.waitsome(requests)
        for k in range(len(indices)):
            found[indices[k]] = values[k]
    expect(found == {0: "a", 2: "c"}, "the two that were sent")
    expect(requests[1] != MPI.REQUEST_NULL, "the other one is not ended")
    world.send("go", 0)
    expect(MPI.Request.waitsome(requests) == ([1], ["b"]))
    expect(MPI.Request.Waitsome(requests) == None, "no request is left")

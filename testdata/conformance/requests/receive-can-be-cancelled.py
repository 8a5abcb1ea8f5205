# MPI_Cancel: a receive that no message came for is cancelled, and its wait returns [MPI-5.0 §3.8.4]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
from commsplit import expect

world = MPI.COMM_WORLD
me = world.Get_rank()
request = world.irecv(source=1 - me, tag=8)
request.Cancel()
status = MPI.Status()
request.Wait(status)
expect(status.Is_cancelled())
world.send("kept", 1 - me, tag=8)
expect(world.recv(source=1 - me, tag=8) == "kept", "the receive took nothing")

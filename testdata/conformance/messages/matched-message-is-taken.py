# MPI_Mprobe: a matched message is received by no other receive [MPI-5.0 §3.8.2]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
from commsplit import expect

world = MPI.COMM_WORLD
me = world.Get_rank()
if me == 0:
    world.send("first", 1, tag=4)
    world.send("second", 1, tag=4)
else:
    status = MPI.Status()
    message = world.mprobe(source=MPI.ANY_SOURCE, tag=MPI.ANY_TAG, status=status)
    expect([status.Get_source(), status.Get_tag()] == [0, 4], "the envelope")
    expect(world.recv(source=0, tag=4) == "second", "the other message")
    expect(message.recv() == "first", "the matched one")
    expect(message == MPI.MESSAGE_NULL, "received, the handle is null")

# MPI_Imrecv: starts to receive a matched message [MPI-5.0 §3.8.3]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
from commsplit import expect

world = MPI.COMM_WORLD
me = world.Get_rank()
if me == 0:
    world.send([1, 2], 1)
else:
    message = world.mprobe(source=0)
    request = message.irecv()
    expect(message == MPI.MESSAGE_NULL)
    expect(request.wait() == [1, 2])

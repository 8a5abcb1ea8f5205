# MPI_Ssend: returns when the receive that it meets was posted before [MPI-5.0 §3.4]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
from commsplit import expect

world = MPI.COMM_WORLD
me = world.Get_rank()
request = world.irecv(source=1 - me, tag=1)
world.ssend(me, 1 - me, tag=1)
expect(request.wait() == 1 - me)

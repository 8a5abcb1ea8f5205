# MPI_Ssend: two processes that both send synchronously before they receive wait forever [MPI-5.0 §3.4]
# commsplit: -n 2 --topo core:2
# ends: 4 A synchronous send completes only when a matching receive has started
from mpi4py import MPI

world = MPI.COMM_WORLD
me = world.Get_rank()
world.ssend(me, 1 - me)
world.recv(source=1 - me)

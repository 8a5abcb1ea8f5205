# MPI_Ssend: a send to MPI_PROC_NULL returns at once [MPI-5.0 §3.11]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
from commsplit import expect

world = MPI.COMM_WORLD
me = world.Get_rank()
world.ssend(me, MPI.PROC_NULL)
request = world.issend(me, MPI.PROC_NULL)
expect(request.Test())

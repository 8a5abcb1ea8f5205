# MPI_Rsend: a ready send whose receive is posted is received as a standard one [MPI-5.0 §3.4]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
from commsplit import world, expect

if world.rank == 0:
    request = world.irecv(source=1)
world.Barrier()
if world.rank == 1:
    world.rsend(7, 0)
else:
    expect(request.wait() == 7)

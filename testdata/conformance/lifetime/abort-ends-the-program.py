# MPI_Abort: makes a best attempt to abort all processes of the group [MPI-5.0 §11.4.2]
# commsplit: -n 2 --topo core:2
# ends: 3 MPI_Abort
from mpi4py import MPI

world = MPI.COMM_WORLD
me = world.Get_rank()
if me == 0:
    world.Abort(4)
world.Barrier()

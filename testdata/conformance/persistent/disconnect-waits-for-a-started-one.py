# MPI_Comm_disconnect: it waits for what a persistent collective request has started [MPI-5.0 §11.10.4]
# commsplit: -n 2 --topo core:2
# ends: 4 MPI_Comm_disconnect waits
from mpi4py import MPI

world = MPI.COMM_WORLD
copy = world.Dup()
request = copy.Barrier_init()
if world.Get_rank() == 0:
    request.Start()
copy.Disconnect()

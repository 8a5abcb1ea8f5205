# MPI_Comm_free: all processes make the same call; no process can make both, so no order helps [MPI-5.0 §6.1]
# commsplit: -n 4 --topo core:4
# ends: 4 let all of them make the same call
from mpi4py import MPI

world = MPI.COMM_WORLD
copy = world.Dup()
if world.Get_rank() == 0:
    copy.Free()
else:
    copy.Disconnect()

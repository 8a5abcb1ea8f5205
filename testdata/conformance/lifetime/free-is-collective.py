# MPI_Comm_free: is collective; a process that others wait for must call it, too [MPI-5.0 §7.4.3]
# commsplit: -n 2 --topo core:2
# ends: 4 DEADLOCK
from mpi4py import MPI

world = MPI.COMM_WORLD
me = world.Get_rank()
part = world.Split(0, me)
if me == 0:
    part.Free()
else:
    part.Barrier()

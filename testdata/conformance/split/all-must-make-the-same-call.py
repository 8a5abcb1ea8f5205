# MPI_Comm_split: is collective: all processes of comm make it, in one order with their other calls [MPI-5.0 §6.1]
# commsplit: -n 4 --topo core:4
# ends: 4 DEADLOCK
from mpi4py import MPI

world = MPI.COMM_WORLD
me = world.Get_rank()
if me == 0:
    world.Barrier()
world.Split(0, 0)
if me != 0:
    world.Barrier()

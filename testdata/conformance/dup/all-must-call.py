# MPI_Comm_dup: is collective over the group of comm [MPI-5.0 §7.4.2]
# commsplit: -n 2 --topo core:2
# ends: 4 DEADLOCK
from mpi4py import MPI

world = MPI.COMM_WORLD
me = world.Get_rank()
if me == 0:
    world.Dup()

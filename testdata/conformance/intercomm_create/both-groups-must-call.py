# MPI_Intercomm_create: is collective over the union of the two groups [MPI-5.0 §7.6.2]
# commsplit: -n 4 --topo core:4
# ends: 4 DEADLOCK
from mpi4py import MPI

world = MPI.COMM_WORLD
me = world.Get_rank()
half = world.Split(me % 2, me)
if me % 2 == 0:
    half.Create_intercomm(0, world, 1, 0)

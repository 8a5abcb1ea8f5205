# MPI_Comm_create_group: all processes in the group must call, or the others wait forever [MPI-5.0 §7.4.2]
# commsplit: -n 3 --topo core:3
# ends: 4 DEADLOCK
from mpi4py import MPI

world = MPI.COMM_WORLD
me = world.Get_rank()
if me < 2:
    world.Create_group(world.Get_group())

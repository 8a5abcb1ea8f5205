# MPI_Comm_create: must be called by all processes in the group of comm, members or not [MPI-5.0 §7.4.2]
# commsplit: -n 3 --topo core:3
# ends: 4 DEADLOCK
from mpi4py import MPI

world = MPI.COMM_WORLD
me = world.Get_rank()
if me < 2:
    world.Create(world.Get_group().Incl([0, 1]))

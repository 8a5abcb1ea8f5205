# MPI_Comm_create_group: came with MPI-3.0 [MPI-3.0 §6.4.2]
# commsplit: -n 2 --topo core:2 --std 2.2
# ends: 2 MPI-3.0
from mpi4py import MPI

world = MPI.COMM_WORLD
world.Create_group(world.Get_group())

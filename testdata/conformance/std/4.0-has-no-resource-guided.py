# MPI_Comm_split_type: MPI_COMM_TYPE_RESOURCE_GUIDED came with MPI-4.1 [MPI-4.1 §7.4.2]
# commsplit: -n 2 --topo core:2 --std 4.0
# ends: 2 MPI-4.1
from mpi4py import MPI

world = MPI.COMM_WORLD
world.Split_type(MPI.COMM_TYPE_RESOURCE_GUIDED)

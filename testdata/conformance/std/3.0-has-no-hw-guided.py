# MPI_Comm_split_type: MPI_COMM_TYPE_HW_GUIDED came with MPI-4.0 [MPI-4.0 §7.4.2]
# commsplit: -n 2 --topo core:2 --std 3.0
# ends: 2 MPI-4.0
from mpi4py import MPI

world = MPI.COMM_WORLD
world.Split_type(MPI.COMM_TYPE_HW_GUIDED)

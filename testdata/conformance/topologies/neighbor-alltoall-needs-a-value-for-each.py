# MPI_Neighbor_alltoall: a process passes one value for each process that it sends to [MPI-5.0 §8.6.2]
# commsplit: -n 2 --topo core:2
# ends: 3 MPI_ERR_ARG in MPI_Neighbor_alltoall
from mpi4py import MPI

world = MPI.COMM_WORLD
me = world.Get_rank()
ring = world.Create_cart([2], periods=[True])
ring.neighbor_alltoall([me])

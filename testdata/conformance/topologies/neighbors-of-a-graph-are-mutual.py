# MPI_Neighbor_allgather: a graph in which an edge has one end only cannot carry it [MPI-5.0 §8.6]
# commsplit: -n 2 --topo core:2
# ends: 3 MPI_ERR_TOPOLOGY in MPI_Neighbor_allgather
from mpi4py import MPI

world = MPI.COMM_WORLD
me = world.Get_rank()
graph = world.Create_graph([1, 1], [1])
graph.neighbor_allgather(me)

# MPI_Graph_map: the rank that the calling process would have in a graph, MPI_UNDEFINED for none [MPI-5.0 §8.5.8]
# commsplit: -n 4 --topo core:4
from mpi4py import MPI
from commsplit import expect

world = MPI.COMM_WORLD
rank = world.Graph_map([1, 2], [1, 0])
ranks = world.allgather(rank)
expect(sorted([r for r in ranks if r != MPI.UNDEFINED]) == [0, 1], "each of the graph's ranks once")

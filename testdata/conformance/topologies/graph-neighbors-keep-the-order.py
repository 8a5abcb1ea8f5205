# MPI_Graph_neighbors: the neighbors of a rank, in the order of edges, with repetitions [MPI-5.0 §8.5.5]
# commsplit: -n 3 --topo core:3
from mpi4py import MPI
from commsplit import expect

world = MPI.COMM_WORLD
graph = world.Create_graph([3, 4, 6], [2, 1, 2, 0, 0, 0])
expect(list(graph.Get_neighbors(0)) == [2, 1, 2], "2 twice")
expect(list(graph.Get_neighbors(2)) == [0, 0], "0 twice")

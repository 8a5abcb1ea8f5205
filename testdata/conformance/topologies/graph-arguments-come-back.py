# MPI_Graph_get: gives index and edges of the topology [MPI-5.0 §8.5.5]
# commsplit: -n 3 --topo core:3
from mpi4py import MPI
from commsplit import expect

world = MPI.COMM_WORLD
graph = world.Create_graph([2, 3, 4], [1, 2, 0, 0])
index, edges = graph.Get_topo()
expect(list(index) == [2, 3, 4] and list(edges) == [1, 2, 0, 0], "as they were given")

# MPI_Graph_create: Example 8.3: index and edges say who the neighbors are [MPI-5.0 §8.5.3]
# commsplit: -n 4 --topo core:4
from mpi4py import MPI
from commsplit import expect

world = MPI.COMM_WORLD
me = world.Get_rank()
# 0: 1 3; 1: 0; 2: 3; 3: 0 2
graph = world.Create_graph([2, 3, 4, 6], [1, 3, 0, 3, 0, 2])
neighbors = [[1, 3], [0], [3], [0, 2]]
expect(list(graph.Get_neighbors(me)) == neighbors[me], "the own neighbors")
expect([graph.Get_neighbors_count(r) for r in range(4)] == [2, 1, 1, 2], "everybody knows all")
index, edges = graph.Get_topo()
expect(list(index) == [2, 3, 4, 6] and list(edges) == [1, 3, 0, 3, 0, 2], "the arguments come back")
expect(graph.Get_dims() == (4, 6), "4 nodes, 6 edges")

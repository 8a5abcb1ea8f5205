# MPI_Dist_graph_create: each process may add any edges of the graph, its own or not [MPI-5.0 §8.5.4]
# commsplit: -n 3 --topo core:3
from mpi4py import MPI
from commsplit import expect

world = MPI.COMM_WORLD
me = world.Get_rank()
# Rank 0 describes the whole ring 0 -> 1 -> 2 -> 0.
if me == 0:
    ring = world.Create_dist_graph([0, 1, 2], [1, 1, 1], [1, 2, 0])
else:
    ring = world.Create_dist_graph([], [], [])
sources, destinations, weights = ring.Get_dist_neighbors()
expect(list(sources) == [(me + 2) % 3] and list(destinations) == [(me + 1) % 3], "one in, one out")

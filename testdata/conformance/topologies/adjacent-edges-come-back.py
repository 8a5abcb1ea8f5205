# MPI_Dist_graph_neighbors: gives sources, destinations and weights in the order of the adjacent call [MPI-5.0 §8.5.5]
# commsplit: -n 4 --topo core:4
from mpi4py import MPI
from commsplit import expect

world = MPI.COMM_WORLD
me = world.Get_rank()
left = (me + 3) % 4
right = (me + 1) % 4
ring = world.Create_dist_graph_adjacent([left, right], [right, left], [1, 2], [1, 2])
expect(ring.Get_dist_neighbors_count() == (2, 2, True), "two in, two out, weighted")
sources, destinations, weights = ring.Get_dist_neighbors()
expect(list(sources) == [left, right] and list(destinations) == [right, left], "the neighbors")
expect([list(w) for w in weights] == [[1, 2], [1, 2]], "the weights")
plain = world.Create_dist_graph_adjacent([left], [right])
expect(plain.Get_dist_neighbors_count() == (1, 1, False), "MPI_UNWEIGHTED")

# MPI_Dist_graph_create_adjacent: each process names its own sources and destinations, also none [MPI-5.0 §8.5.4]
# commsplit: -n 4 --topo core:4
from mpi4py import MPI
from commsplit import expect, expect_parts

world = MPI.COMM_WORLD
me = world.Get_rank()
# A star: 0 sends to all others, who send to nobody.
if me == 0:
    star = world.Create_dist_graph_adjacent([], [1, 2, 3])
else:
    star = world.Create_dist_graph_adjacent([0], [])
sources, destinations, weights = star.Get_dist_neighbors()
expect(list(sources) == ([] if me == 0 else [0]), "in")
expect(list(destinations) == ([1, 2, 3] if me == 0 else []), "out")
expect_parts(star, [[0, 1, 2, 3]])

# MPI_Neighbor_alltoall: of several edges between two processes the first meets the first [MPI-5.0 §8.6]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
from commsplit import expect

world = MPI.COMM_WORLD
me = world.Get_rank()
sources, destinations = ([], [1, 1]) if me == 0 else ([0, 0], [])
graph = world.Create_dist_graph_adjacent(sources, destinations)
got = graph.neighbor_alltoall(["a", "b"] if me == 0 else [])
expect(got == ([] if me == 0 else ["a", "b"]))

# MPI_Topo_test: MPI_CART, MPI_GRAPH, MPI_DIST_GRAPH, or MPI_UNDEFINED for no topology [MPI-5.0 §8.5.5]
# commsplit: -n 4 --topo core:4
from mpi4py import MPI
from commsplit import expect

world = MPI.COMM_WORLD
me = world.Get_rank()
expect(world.Get_topology() == MPI.UNDEFINED, "the world has none")
expect(world.Create_cart([4]).Get_topology() == MPI.CART, "a grid")
expect(world.Create_graph([1, 2, 3, 4], [1, 0, 3, 2]).Get_topology() == MPI.GRAPH, "a graph")
near = [(me + 1) % 4]
expect(world.Create_dist_graph_adjacent([(me + 3) % 4], near).Get_topology() == MPI.DIST_GRAPH, "a distributed graph")

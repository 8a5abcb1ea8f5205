# MPI_Graph_create: if the graph has fewer nodes than the group, some get MPI_COMM_NULL [MPI-5.0 §8.5.3]
# commsplit: -n 4 --topo core:4
from mpi4py import MPI
from commsplit import expect_parts

world = MPI.COMM_WORLD
expect_parts(world.Create_graph([1, 2], [1, 0]), [[0, 1]])

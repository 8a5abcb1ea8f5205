# MPI_Graph_neighbors: rank must be a rank of the communicator, MPI_ERR_RANK [MPI-5.0 §8.5.5]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
from commsplit import expect_error

world = MPI.COMM_WORLD
graph = world.Create_graph([1, 2], [1, 0])
expect_error(MPI.ERR_RANK, graph.Get_neighbors, 2)

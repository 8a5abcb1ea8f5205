# MPI_Cart_map: the rank that the calling process would have in a grid, MPI_UNDEFINED for none [MPI-5.0 §8.5.8]
# commsplit: -n 6 --topo core:6
from mpi4py import MPI
from commsplit import expect

world = MPI.COMM_WORLD
rank = world.Cart_map([2, 2])
ranks = world.allgather(rank)
expect(sorted([r for r in ranks if r != MPI.UNDEFINED]) == [0, 1, 2, 3], "each of the grid's ranks once")

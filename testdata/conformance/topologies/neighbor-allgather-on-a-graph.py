# MPI_Neighbor_allgather: on a graph, in the order of MPI_Graph_neighbors [MPI-5.0 §8.6.1]
# commsplit: -n 3 --topo core:3
from mpi4py import MPI
from commsplit import expect

world = MPI.COMM_WORLD
me = world.Get_rank()
# A star: 1 and 2 are neighbors of 0, which names 2 first.
star = world.Create_graph([2, 3, 4], [2, 1, 0, 0])
got = star.neighbor_allgather(me)
expect(got == [[2, 1], [0], [0]][me])

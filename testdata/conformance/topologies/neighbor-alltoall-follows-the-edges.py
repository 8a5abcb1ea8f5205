# MPI_Neighbor_alltoall: sends along the edges out of a process, and receives along those into it [MPI-5.0 §8.6.2]
# commsplit: -n 3 --topo core:3
from mpi4py import MPI
from commsplit import expect

world = MPI.COMM_WORLD
me = world.Get_rank()
# 0 sends to 1 and 2; 1 to 2; 2 to 0.
sources = [[2], [0], [0, 1]][me]
destinations = [[1, 2], [2], [0]][me]
graph = world.Create_dist_graph_adjacent(sources, destinations)
got = graph.neighbor_alltoall([[me, d] for d in destinations])
expect(got == [[s, me] for s in sources])
expect(graph.neighbor_allgather(me) == sources)

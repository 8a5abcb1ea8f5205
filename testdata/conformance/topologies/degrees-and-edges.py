# MPI_Neighbor_allgather: its sources and destinations on each kind of topology [MPI-5.0 §8.6]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
from commsplit import expect

world = MPI.COMM_WORLD
me = world.Get_rank()
line = world.Create_cart([2], periods=[False])
expect([line.indegree, line.outdegree] == [2, 2], "borders count")
expect(list(line.inedges) == ([MPI.PROC_NULL, 1] if me == 0 else [0, MPI.PROC_NULL]))
expect(list(line.outedges) == list(line.inedges))
pair = world.Create_graph([1, 2], [1, 0])
expect([pair.indegree, list(pair.outedges)] == [1, [1 - me]])
way = world.Create_dist_graph_adjacent([] if me == 0 else [0], [1] if me == 0 else [])
expect([way.indegree, way.outdegree] == ([0, 1] if me == 0 else [1, 0]))
expect(list(way.inoutedges[0]) == ([] if me == 0 else [0]))
expect(list(way.inoutedges[1]) == ([1] if me == 0 else []))

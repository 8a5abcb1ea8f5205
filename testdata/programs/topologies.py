# Virtual topologies: grids, graphs and distributed graphs.
from mpi4py import MPI

world = MPI.COMM_WORLD
rank = world.rank


def named(ranks):
    return ["nobody" if r == MPI.PROC_NULL else r for r in ranks]


# A cylinder of 2 x 3, and what is around each process.
print("dims", MPI.Compute_dims(6, 2), MPI.Compute_dims(7, 2), MPI.Compute_dims(6, [0, 3, 0]), MPI.Compute_dims(6, 1))
print("dims", MPI.Compute_dims(12, [0, 0]), MPI.Compute_dims(24, 3), MPI.Compute_dims(6, (2, 0)), MPI.Compute_dims(1, []))
grid = world.Create_cart([2, 3], [True, False])
print("grid", grid.size, grid.rank, grid.Get_topo(), grid.topo == grid.Get_topo())
print("grid", grid.dims, grid.periods, grid.coords, grid.dim, grid.ndim, grid.Get_dim())
print("coordinates", [grid.Get_coords(r) for r in range(6)], [grid.Get_cart_rank(grid.Get_coords(r)) for r in range(6)])
print("round the ring", grid.Get_cart_rank([-1, 2]), grid.Get_cart_rank([5, 0]), grid.Get_cart_rank((2, 1)))
for direction in range(2):
    for disp in [1, -1, 2, 0]:
        print("shift", direction, disp, named(grid.Shift(direction, disp)))
source, dest = grid.Shift(0, 1)
print("from above", grid.sendrecv(rank, dest=dest, source=source))

# What is made from it, and whether it still is a grid.
print("kinds", grid.topology == MPI.CART, grid.is_topo, world.Get_topology() == MPI.UNDEFINED, world.is_topo)
print("dup", grid.Dup().Get_topo(), grid.Clone().topology == MPI.CART)
print("split", grid.Split(0, 0).topology == MPI.UNDEFINED, grid.Create(grid.group).topology == MPI.UNDEFINED)
for remain in [[True, False], [False, True], [1, 1], [0, 0]]:
    sub = grid.Sub(remain)
    print("sub", remain, sub.topology == MPI.CART, sub.Get_topo(), sub.allgather(rank), sub.dim)
print("point", grid.Sub([False, False]).Get_cart_rank([]), grid.Sub([False, False]).Get_coords(0))

# A grid with room for some, one dimension periodic for all, and a point.
small = world.Create_cart([2, 2], True)
print("small", small == MPI.COMM_NULL)
if small != MPI.COMM_NULL:
    print("small", small.topo, named(small.Shift(1, 1)), named(small.Shift(0, 3)))
point = world.Create_cart([])
print("point", point != MPI.COMM_NULL)
print("map", world.Cart_map([2, 2]) if rank < 4 else "outside", world.Cart_map([3, 2], [True, False]))

# A graph of four nodes, in both ways to write index.
graph = world.Create_graph([2, 3, 4, 6], [1, 3, 0, 3, 0, 2])
print("graph", graph != MPI.COMM_NULL)
if graph != MPI.COMM_NULL:
    print("graph", graph.topology == MPI.GRAPH, graph.Get_topo(), graph.Get_dims(), graph.dims, graph.nnodes, graph.nedges)
    print("graph", graph.index, graph.edges, graph.topo, graph.neighbors, graph.nneighbors)
    print("neighbors", [graph.Get_neighbors(r) for r in range(4)], [graph.Get_neighbors_count(r) for r in range(4)])
    print("dup", graph.Dup().Get_neighbors(3))
sparse = world.Create_graph([0, 1, 3, 4, 4, 4, 5], [1, 0, 0, 1, 5])
print("sparse", sparse.Get_topo(), sparse.neighbors)
print("map", world.Graph_map([1, 2], [1, 0]) if rank < 2 else "outside")

# Distributed graphs: a ring, with and without weights, and a pair. (Create_dist_graph is not here:
# Open MPI 4.1.4 hangs in it at times.)
left, right = (rank - 1) % 6, (rank + 1) % 6
ring = world.Create_dist_graph_adjacent([left, right], [right, left])
print("ring", ring.topology == MPI.DIST_GRAPH, ring.Get_dist_neighbors_count(), ring.Get_dist_neighbors())
ring = world.Create_dist_graph_adjacent([left], [right], [10 + left], [10 + rank])
print("ring", ring.Get_dist_neighbors_count(), ring.Get_dist_neighbors(), ring.Dup().Get_dist_neighbors())
pair = [1 - rank] if rank < 2 else None
weights = [7] if rank < 2 else MPI.WEIGHTS_EMPTY
pair = world.Create_dist_graph_adjacent(pair, pair, weights, weights)
print("pair", pair.Get_dist_neighbors(), pair.size, MPI.Comm.Compare(pair, world) == MPI.CONGRUENT)

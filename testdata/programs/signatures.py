# mpi4py's names with its argument names, and its two spellings where versions 3.1 and 4 differ.
from mpi4py import MPI

world = MPI.COMM_WORLD
me = world.rank
n = world.size
nxt = (me + 1) % n
prv = (me - 1) % n

# Communicators: what they are.
world.Set_name(name="w")
print(world.name, world.Get_name(), world.Get_rank() == me, world.Get_size() == n)
world.name = "MPI_COMM_WORLD"
print(world.Is_inter(), world.Is_intra(), world.is_inter, world.is_intra, world.Get_topology() == MPI.UNDEFINED, world.is_topo)

# Constructors.
everybody = world.group
part = world.Split(color=me % 2, key=-me)
hints = MPI.Info.Create()
hints.Set(key="mpi_assert_exact_length", value="true")
made = [world.Dup(), world.Dup(None), world.Dup_with_info(info=hints), world.Clone(), world.Create(group=everybody),
        world.Create_group(group=everybody, tag=5), world.Create_group(everybody), world.Split(),
        world.Split_type(MPI.COMM_TYPE_SHARED),
        world.Split_type(split_type=MPI.COMM_TYPE_SHARED, key=0, info=MPI.INFO_NULL), part]
later, request = world.Idup()
print(request.wait(), MPI.Comm.Compare(world, later) == MPI.CONGRUENT, MPI.Intracomm.Compare(world, part) == MPI.UNEQUAL)
inter = part.Create_intercomm(local_leader=0, peer_comm=world, remote_leader=n - 1 - me % 2, tag=7)
print(inter.remote_size, inter.Get_remote_size(), inter.remote_group.size, inter.Get_remote_group().Get_size(), inter.is_inter)
made += [later, inter, inter.Merge(high=me % 2 == 1), inter.Merge()]
later.Set_info(info=hints)
later.info = hints
later.Get_info().Free()
later.info.Free()

# Attributes and error handlers.
key = MPI.Comm.Create_keyval(copy_fn=None, delete_fn=None, nopython=False)
later.Set_attr(keyval=key, attrval={"a": 1})
print(later.Get_attr(keyval=key), later.Delete_attr(keyval=key), later.Get_attr(key))
print(MPI.Comm.Free_keyval(keyval=key) == MPI.KEYVAL_INVALID)
handler = later.Get_errhandler()
later.Set_errhandler(errhandler=MPI.ERRORS_RETURN)
later.Call_errhandler(errorcode=MPI.ERR_ARG)
later.Set_errhandler(handler)

# Virtual topologies.
print(MPI.Compute_dims(nnodes=6, dims=2), MPI.Compute_dims(6, [0, 2]))
cart = world.Create_cart(dims=[3, 2], periods=[True, False], reorder=False)
print(cart.dim, cart.ndim, cart.Get_dim(), cart.dims, cart.periods, cart.coords, cart.topo == cart.Get_topo())
print(cart.Get_coords(rank=3), cart.Get_cart_rank(coords=[1, 0]), cart.Shift(direction=0, disp=1), cart.topology == MPI.CART)
sub = cart.Sub(remain_dims=[True, False])
flat = world.Create_cart([6])
print(sub.dims, flat.periods)
graph = world.Create_graph(index=[1, 2, 3, 4, 5, 6], edges=[1, 0, 3, 2, 5, 4], reorder=False)
print(graph.dims, graph.Get_dims(), graph.nnodes, graph.nedges, graph.index, graph.edges, graph.topo == graph.Get_topo())
print(graph.nneighbors, graph.neighbors, graph.Get_neighbors_count(rank=0), graph.Get_neighbors(rank=0))
near = world.Create_dist_graph_adjacent(sources=[prv], destinations=[nxt], sourceweights=[1], destweights=[1],
                                        info=MPI.INFO_NULL, reorder=False)
print(near.Get_dist_neighbors_count(), near.Get_dist_neighbors())
plain = world.Create_dist_graph_adjacent([prv], [nxt], MPI.UNWEIGHTED, MPI.UNWEIGHTED)
dist = world.Create_dist_graph(sources=[me], degrees=[1], destinations=[nxt], weights=None, info=MPI.INFO_NULL, reorder=False)
print(plain.Get_dist_neighbors_count(), dist.Get_dist_neighbors()[0] == [prv], dist.topology == MPI.DIST_GRAPH)
print(world.Cart_map(dims=[3, 2], periods=None), world.Graph_map(index=[1, 2, 3, 4, 5, 6], edges=[1, 0, 3, 2, 5, 4]))
made += [cart, sub, flat, graph, near, plain, dist]

# Data.
world.Barrier()
world.barrier()
print(world.bcast(obj=me, root=1), world.gather(sendobj=me, root=2), world.allgather(sendobj=me))
print(world.scatter(sendobj=[10, 11, 12, 13, 14, 15], root=0), world.alltoall(sendobj=[10 * me + k for k in range(n)]))
print(world.reduce(sendobj=me, op=MPI.SUM, root=0), world.allreduce(sendobj=me, op=MPI.MAX), world.allreduce(me))
print(world.scan(sendobj=me, op=MPI.SUM), me == 0 or world.rank > 0)
world.exscan(sendobj=me, op=MPI.SUM)
request = world.isend(obj=me, dest=nxt, tag=3)
print(world.recv(buf=None, source=prv, tag=3, status=None), request.wait(status=None))
world.send(obj=me, dest=nxt, tag=4)
print(world.probe(source=prv, tag=4, status=None), world.iprobe(source=prv, tag=4, status=None))
print(world.irecv(buf=None, source=prv, tag=4).wait())
print(world.sendrecv(sendobj=me, dest=nxt, sendtag=1, recvbuf=None, source=prv, recvtag=1, status=None))
print(MPI.Request.waitall(requests=[world.isend(me, nxt), world.irecv(source=prv)], statuses=None))
print(MPI.Request.Testall([MPI.REQUEST_NULL]), MPI.Request.testall([MPI.REQUEST_NULL])[0], MPI.REQUEST_NULL.test()[0])

# Groups.
low = everybody.Incl(ranks=[0, 1])
high = everybody.Excl(ranks=[0])
print(everybody.size, everybody.rank, everybody.Get_size(), everybody.Get_rank())
print(MPI.Group.Union(group1=low, group2=high).size, MPI.Group.Intersection(low, high).size, low.Difference(low, high).size)
print(everybody.Range_incl(ranks=[(0, 3, 2)]).size, everybody.Range_excl([(0, 3, 2)]).size)
print(MPI.Group.Translate_ranks(high, [0, 1], everybody), MPI.Group.Compare(low, high) == MPI.UNEQUAL)
low.Free()
print(low == MPI.GROUP_NULL)

# Info objects.
hints.Set("k", "v")
print(hints.Get(key="k"), hints.Get("no"), hints.Get_nkeys(), hints.Get_nthkey(n=1), hints.keys(), hints.values(), hints.items())
copy = hints.Dup()
copy.Delete(key="k")
print(len(copy), "k" in copy, hints["k"])
copy.Free()
print(copy == MPI.INFO_NULL, len(MPI.Get_processor_name()) > 0, len(MPI.Get_library_version()) > 0, MPI.Get_version()[0] >= 3)

for comm in made:
    comm.Free()
print("freed", [comm == MPI.COMM_NULL for comm in made])

# Functions of a class, with the names of its parameters, and what a group is translated to by default.
pair = MPI.COMM_WORLD.group.Incl([1, 0])
print(MPI.Comm.Compare(comm1=MPI.COMM_WORLD, comm2=MPI.COMM_SELF) == MPI.UNEQUAL)
print(MPI.Group.Compare(group1=pair, group2=MPI.COMM_WORLD.group) == MPI.UNEQUAL, MPI.Group.Compare(pair, group2=pair) == MPI.IDENT)
print(MPI.Group.Translate_ranks(group1=pair, ranks1=[0], group2=MPI.COMM_WORLD.group), MPI.Group.Translate_ranks(pair, [1, 0]))

# Version 3.1 cuts what Get returns.
cut = MPI.Info.Create()
cut.Set("key", "value")
print(cut.Get("key"), cut.Get("key", 3), cut.Get(key="key", maxlen=-1), cut.Get("none", 3))

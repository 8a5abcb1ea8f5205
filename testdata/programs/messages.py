# Messages and collectives: each communicator is a world of its own.
from mpi4py import MPI

world = MPI.COMM_WORLD
me = world.Get_rank()
n = world.Get_size()

# The same source and tag on two communicators: the context tells the messages apart.
library = world.Dup()
right = (me + 1) % n
left = (me - 1) % n
pending = [world.isend("user %d" % me, dest=right, tag=5), library.isend("library %d" % me, dest=right, tag=5)]
print(library.recv(source=left, tag=5))
print(world.recv(source=left, tag=5))
for request in pending:
    request.wait()

# Messages of one sender arrive in order; tags select.
if me == 0:
    for k in range(3):
        world.send(k, dest=1, tag=7)
    world.send("other", dest=1, tag=8)
if me == 1:
    print(world.recv(source=0, tag=8), [world.recv(source=0, tag=7) for k in range(3)])

print(world.sendrecv(me * me, dest=right, sendtag=1, source=left, recvtag=1))

# Ranks in a communicator are its own; so are roots.
part = world.Split(me % 2, -me)
print("bcast", part.bcast(me, root=0))
print("gather", part.gather(me, root=1))
print("allgather", part.allgather(me))
print("scatter", part.scatter([10 * k for k in range(part.Get_size())] if part.Get_rank() == 2 else None, root=2))
print("alltoall", part.alltoall([me * 10 + k for k in range(part.Get_size())]))
print("reduce", part.reduce(me, op=MPI.SUM, root=0))
print("allreduce", part.allreduce(me, op=MPI.MAX), part.allreduce(me, op=MPI.MIN), part.allreduce(me + 1, op=MPI.PROD))
print("scan", part.scan(me, op=MPI.SUM))
below = part.exscan(me, op=MPI.SUM)
print("exscan", below if part.Get_rank() > 0 else "undefined")
part.Barrier()
print("done")

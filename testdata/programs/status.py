# Status objects: who sent a message, and with which tag.
from mpi4py import MPI

world = MPI.COMM_WORLD
me = world.Get_rank()
n = world.Get_size()
right = (me + 1) % n
left = (me - 1) % n

status = MPI.Status()
print("at first", status.Get_source() == MPI.ANY_SOURCE, status.tag == MPI.ANY_TAG)

# A receive from anybody learns whom to answer.
if me == 0:
    for k in range(1, n):
        world.probe(source=k, status=status)
        print("probed", status.source, status.tag)
        text = world.recv(source=MPI.ANY_SOURCE, tag=100 + k, status=status)
        print("work", text, "from", status.Get_source(), "tag", status.Get_tag())
        world.send("done", dest=status.source, tag=status.tag)
else:
    world.send("part %d" % me, dest=0, tag=100 + me)
    print("answer", world.recv(None, 0, MPI.ANY_TAG, status), status.source, status.tag)

# The other ways to receive.
print("sendrecv", world.sendrecv(me, right, 3, None, MPI.ANY_SOURCE, 3, status), status.source == left, status.tag)
requests = [world.isend(me, dest=right, tag=4), world.irecv(source=left, tag=4)]
requests[0].wait()
print("wait", requests[1].wait(status=status), status.source == left, status.tag)
requests = [world.irecv(source=left, tag=5), world.irecv(source=right, tag=6)]
world.isend("a", dest=right, tag=5).wait()
world.isend("b", dest=left, tag=6).wait()
statuses = [MPI.Status()]
print("waitall", MPI.Request.waitall(requests, statuses))
print([s.source == k for s, k in zip(statuses, [left, right])], [s.tag for s in statuses])
world.isend("c", dest=right, tag=7).wait()
print("waitany", MPI.Request.waitany([world.irecv(source=left, tag=7)], status=status), status.tag)
world.Barrier()
world.isend("d", dest=right, tag=8).wait()
world.Barrier()
there = False
while not there:
    there = world.iprobe(status=status)
print("iprobe", status.source == left, status.tag)
request = world.irecv(source=left, tag=8)
done = False
while not done:
    done, text = request.test(status)
print("test", text, status.tag)

# Nobody sends nothing.
world.recv(source=MPI.PROC_NULL, status=status)
print("nobody", status.source == MPI.PROC_NULL, status.tag == MPI.ANY_TAG)
print("threads", MPI.THREAD_SINGLE < MPI.THREAD_FUNNELED, MPI.THREAD_FUNNELED < MPI.THREAD_SERIALIZED,
      MPI.THREAD_SERIALIZED < MPI.THREAD_MULTIPLE, MPI.Query_thread() == MPI.THREAD_MULTIPLE)

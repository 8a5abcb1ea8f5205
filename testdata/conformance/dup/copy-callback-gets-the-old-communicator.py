# MPI_Comm_dup: the copy callback is called with oldcomm, the key and the value [MPI-5.0 §7.7.2]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
from commsplit import expect

world = MPI.COMM_WORLD
me = world.Get_rank()
part = world.Split(0, me)
seen = []


def copy_fn(comm, keyval, value):
    seen.append([comm == part, keyval, value])
    return value


key = MPI.Comm.Create_keyval(copy_fn=copy_fn)
part.Set_attr(key, "value")
expect(seen == [], "setting copies nothing")
copy = part.Dup()
expect(seen == [[True, key, "value"]], "called once, with the old communicator")

# MPI_Comm_set_attr: a value that exists is deleted first, with its callback [MPI-5.0 §7.7.2]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
from commsplit import expect

world = MPI.COMM_WORLD
me = world.Get_rank()
part = world.Split(0, me)
deleted = []


def delete_fn(comm, keyval, value):
    deleted.append([comm == part, keyval, value])


key = MPI.Comm.Create_keyval(delete_fn=delete_fn)
part.Set_attr(key, "old")
expect(deleted == [], "there was no value")
part.Set_attr(key, "new")
expect(deleted == [[True, key, "old"]], "called with the communicator, the key and the old value")
expect(part.Get_attr(key) == "new", "the new value is there")
part.Delete_attr(key)
expect(deleted[1] == [True, key, "new"], "MPI_Comm_delete_attr calls it, too")

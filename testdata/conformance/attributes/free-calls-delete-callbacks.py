# MPI_Comm_free: the delete callbacks of all attributes are called [MPI-5.0 §7.4.3]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
from commsplit import expect

world = MPI.COMM_WORLD
me = world.Get_rank()
part = world.Split(0, me)
deleted = []
key = MPI.Comm.Create_keyval(copy_fn=True, delete_fn=lambda comm, keyval, value: deleted.append(value))
second = MPI.Comm.Create_keyval(delete_fn=lambda comm, keyval, value: deleted.append(value))
part.Set_attr(key, "first")
part.Set_attr(second, "second")
copy = part.Dup()
part.Free()
expect(sorted(deleted) == ["first", "second"], "both, in any order")
copy.Free()
expect(sorted(deleted) == ["first", "first", "second"], "and the copied one")

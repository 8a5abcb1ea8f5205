# MPI_Comm_free_keyval: attributes that are set stay, and their callbacks are still called [MPI-5.0 §7.7.2]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
from commsplit import expect

world = MPI.COMM_WORLD
me = world.Get_rank()
part = world.Split(0, me)
deleted = []
key = MPI.Comm.Create_keyval(copy_fn=True, delete_fn=lambda comm, keyval, value: deleted.append(value))
part.Set_attr(key, "value")
freed = MPI.Comm.Free_keyval(key)
expect(freed == MPI.KEYVAL_INVALID, "the key becomes MPI_KEYVAL_INVALID")
copy = part.Dup()
copy.Free()
part.Free()
expect(deleted == ["value", "value"], "of the duplicate and of the original")

# MPI_Comm_disconnect: deallocates as MPI_Comm_free does, with the delete callbacks [MPI-5.0 §11.10.4]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
from commsplit import expect

world = MPI.COMM_WORLD
me = world.Get_rank()
part = world.Split(0, me)
deleted = []
key = MPI.Comm.Create_keyval(delete_fn=lambda comm, keyval, value: deleted.append(value))
part.Set_attr(key, "value")
part.Disconnect()
expect(deleted == ["value"], "called once")

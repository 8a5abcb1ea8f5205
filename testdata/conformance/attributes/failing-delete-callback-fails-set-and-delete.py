# MPI_Comm_delete_attr: when the delete callback fails, so does the call [MPI-5.0 §7.7.2]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
from commsplit import expect, expect_error

world = MPI.COMM_WORLD
me = world.Get_rank()
part = world.Split(0, me)
allowed = []


def delete_fn(comm, keyval, value):
    if not allowed:
        MPI.COMM_NULL.Get_size()  # fails with MPI_ERR_COMM


key = MPI.Comm.Create_keyval(delete_fn=delete_fn)
part.Set_attr(key, "value")
expect_error(MPI.ERR_COMM, part.Delete_attr, key)
expect_error(MPI.ERR_COMM, part.Set_attr, key, "other")
expect(part.Get_attr(key) == "value", "the attribute is still there")
allowed.append(True)
part.Delete_attr(key)

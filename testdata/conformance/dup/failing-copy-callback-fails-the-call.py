# MPI_Comm_dup: when a copy callback fails, so does the call, with the callback's class [MPI-5.0 §7.7.2]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
from commsplit import expect, expect_error

world = MPI.COMM_WORLD
me = world.Get_rank()
part = world.Split(0, me)


def refuse(comm, keyval, value):
    return MPI.COMM_NULL.Get_size()  # fails with MPI_ERR_COMM


key = MPI.Comm.Create_keyval(copy_fn=refuse)
part.Set_attr(key, 1)
expect_error(MPI.ERR_COMM, part.Dup)
expect(part.Get_attr(key) == 1, "the original is as before")

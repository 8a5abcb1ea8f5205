# MPI_Comm_free: when a delete callback fails, so does the call [MPI-5.0 §7.7.2]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
from commsplit import expect_error

world = MPI.COMM_WORLD
me = world.Get_rank()
part = world.Split(0, me)
key = MPI.Comm.Create_keyval(delete_fn=lambda comm, keyval, value: MPI.COMM_NULL.Get_size())
part.Set_attr(key, "value")
expect_error(MPI.ERR_COMM, part.Free)

# MPI_Comm_dup: for each key, the copy callback determines the value in the new communicator [MPI-5.0 §7.4.2]
# commsplit: -n 4 --topo core:4
from mpi4py import MPI
from commsplit import expect

world = MPI.COMM_WORLD
me = world.Get_rank()
part = world.Split(0, me)
same = MPI.Comm.Create_keyval(copy_fn=True)
doubled = MPI.Comm.Create_keyval(copy_fn=lambda comm, keyval, value: 2 * value)
dropped = MPI.Comm.Create_keyval()
part.Set_attr(same, 10 + me)
part.Set_attr(doubled, 10 + me)
part.Set_attr(dropped, 10 + me)

copy = part.Dup()
expect(copy.Get_attr(same) == 10 + me, "MPI_COMM_DUP_FN copies the value")
expect(copy.Get_attr(doubled) == 2 * (10 + me), "a callback gives another value")
expect(copy.Get_attr(dropped) == None, "MPI_COMM_NULL_COPY_FN copies nothing")
expect(part.Get_attr(doubled) == 10 + me, "the original keeps its own")

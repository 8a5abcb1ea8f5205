# MPI_Comm_idup: attributes changed after the call are not copied [MPI-5.0 §7.4.2]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
from commsplit import expect

world = MPI.COMM_WORLD
me = world.Get_rank()
part = world.Split(0, me)
key = MPI.Comm.Create_keyval(copy_fn=True)
later = MPI.Comm.Create_keyval(copy_fn=True)
part.Set_attr(key, "at the call")
copy, request = part.Idup()
part.Set_attr(key, "after the call")
part.Set_attr(later, "after the call")
request.Wait()
expect(copy.Get_attr(key) == "at the call", "as if MPI_Comm_dup was executed at the call")
expect(copy.Get_attr(later) == None, "set too late")
expect(part.Get_attr(key) == "after the call", "the original has the new value")

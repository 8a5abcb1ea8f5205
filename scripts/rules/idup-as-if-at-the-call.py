# MPI_Comm_idup is as if MPI_Comm_dup was executed at the time of the call [MPI-5.0 §7.4.2]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
from commsplit import expect, expect_parts, note, world

note("Attributes changed after MPI_Comm_idup will not be copied, even when it completes later.")
part = world.Split(0, 0)
keyval = MPI.Comm.Create_keyval(copy_fn=True)
part.Set_attr(keyval, "before the call")
copy, request = part.Idup()
part.Set_attr(keyval, "after the call")
request.Wait()
expect(copy.Get_attr(keyval) == "before the call", "the value at the time of the call")
expect(part.Get_attr(keyval) == "after the call", "the original goes on")
expect_parts(copy, [[0, 1]])

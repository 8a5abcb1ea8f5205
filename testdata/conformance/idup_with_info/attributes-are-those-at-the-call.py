# MPI_Comm_idup_with_info: attributes changed after the call are not copied [MPI-5.0 §7.4.2]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
from commsplit import expect, expect_parts

world = MPI.COMM_WORLD
me = world.Get_rank()
part = world.Split(0, me)
key = MPI.Comm.Create_keyval(copy_fn=True)
part.Set_attr(key, 1)
copy, request = part.Idup_with_info(MPI.INFO_NULL)
part.Set_attr(key, 2)
request.Wait()
expect_parts(copy, [[0, 1]])
expect(copy.Get_attr(key) == 1, "the value at the call")

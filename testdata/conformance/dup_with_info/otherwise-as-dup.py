# MPI_Comm_dup_with_info: apart from hints it behaves exactly as MPI_Comm_dup [MPI-5.0 §7.4.2]
# commsplit: -n 6 --topo core:6
from mpi4py import MPI
from commsplit import expect

world = MPI.COMM_WORLD
me = world.Get_rank()
grid = world.Create_cart([3, 2])
key = MPI.Comm.Create_keyval(copy_fn=True)
grid.Set_attr(key, me)
grid.Set_name("grid")
grid.Set_errhandler(MPI.ERRORS_ARE_FATAL)
info = MPI.Info.Create()
copy = grid.Dup_with_info(info)
info.Free()
expect(MPI.Comm.Compare(grid, copy) == MPI.CONGRUENT, "the same group")
expect(copy.Get_attr(key) == me, "attributes are copied")
expect(copy.Get_topology() == MPI.CART, "so is the topology")
expect(copy.Get_errhandler() == MPI.ERRORS_ARE_FATAL, "so is the error handler")
expect(copy.Get_name() == "", "the name is not")

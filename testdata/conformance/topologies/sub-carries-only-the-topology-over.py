# MPI_Cart_sub: attributes and name do not propagate, the error handler does [MPI-5.0 §7.7]
# commsplit: -n 4 --topo core:4
from mpi4py import MPI
from commsplit import expect

world = MPI.COMM_WORLD
grid = world.Create_cart([2, 2])
key = MPI.Comm.Create_keyval(copy_fn=True)
grid.Set_attr(key, 1)
grid.Set_name("grid")
grid.Set_errhandler(MPI.ERRORS_ARE_FATAL)
row = grid.Sub([False, True])
expect(row.Get_attr(key) == None and row.Get_name() == "", "neither attribute nor name")
expect(row.Get_errhandler() == MPI.ERRORS_ARE_FATAL, "the error handler of the parent")

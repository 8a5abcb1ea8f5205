# MPI_Comm_idup: topology and error handler are copied, the name is not [MPI-5.0 §7.4.2]
# commsplit: -n 4 --topo core:4
from mpi4py import MPI
from commsplit import expect

world = MPI.COMM_WORLD
grid = world.Create_cart([2, 2])
grid.Set_errhandler(MPI.ERRORS_ARE_FATAL)
grid.Set_name("grid")
copy, request = grid.Idup()
grid.Set_errhandler(MPI.ERRORS_RETURN)
request.Wait()
expect(copy.Get_topology() == MPI.CART, "the topology")
expect(copy.Get_errhandler() == MPI.ERRORS_ARE_FATAL, "the error handler at the call")
expect(copy.Get_name() == "", "not the name")

# MPI_Comm_call_errhandler: invokes the error handler of comm with an error code [MPI-5.0 §9.5]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
from commsplit import expect

world = MPI.COMM_WORLD
me = world.Get_rank()
part = world.Split(0, me)
part.Set_errhandler(MPI.ERRORS_RETURN)
part.Call_errhandler(MPI.ERR_OTHER)
expect(part.Get_errhandler() == MPI.ERRORS_RETURN, "MPI_ERRORS_RETURN does nothing more")

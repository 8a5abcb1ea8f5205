# MPI_Comm_dup: newcomm has the same error handler [MPI-5.0 §7.4.2]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
from commsplit import expect

world = MPI.COMM_WORLD
me = world.Get_rank()
part = world.Split(0, me)
part.Set_errhandler(MPI.ERRORS_ARE_FATAL)
copy = part.Dup()
part.Set_errhandler(MPI.ERRORS_RETURN)
expect(copy.Get_errhandler() == MPI.ERRORS_ARE_FATAL, "the handler at the time of the call")
expect(part.Dup().Get_errhandler() == MPI.ERRORS_RETURN, "and the other one")

# MPI_Comm_set_errhandler: attaches an error handler, which MPI_Comm_get_errhandler gives [MPI-5.0 §9.3.1]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
from commsplit import expect

world = MPI.COMM_WORLD
me = world.Get_rank()
part = world.Split(0, me)
part.Set_errhandler(MPI.ERRORS_RETURN)
expect(part.Get_errhandler() == MPI.ERRORS_RETURN, "the one set")
part.Set_errhandler(MPI.ERRORS_ARE_FATAL)
expect(part.Get_errhandler() == MPI.ERRORS_ARE_FATAL, "the other one")

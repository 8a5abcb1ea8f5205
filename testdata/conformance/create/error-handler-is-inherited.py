# MPI_Comm_create: a new communicator inherits the error handler of its parent [MPI-5.0 §9.3]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
from commsplit import expect

world = MPI.COMM_WORLD
me = world.Get_rank()
part = world.Split(0, me)
part.Set_errhandler(MPI.ERRORS_ARE_FATAL)
expect(part.Create(part.Get_group()).Get_errhandler() == MPI.ERRORS_ARE_FATAL, "that of the parent")
part.Set_errhandler(MPI.ERRORS_RETURN)
expect(part.Create(part.Get_group()).Get_errhandler() == MPI.ERRORS_RETURN, "that of the parent")

# MPI_Comm_set_errhandler: is local: each process chooses for its own handle [MPI-5.0 §9.3.1]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
from commsplit import expect

world = MPI.COMM_WORLD
me = world.Get_rank()
part = world.Split(0, me)
part.Set_errhandler(MPI.ERRORS_ARE_FATAL if me == 0 else MPI.ERRORS_RETURN)
part.Barrier()
expect((part.Get_errhandler() == MPI.ERRORS_RETURN) == (me == 1), "the other process kept its own")

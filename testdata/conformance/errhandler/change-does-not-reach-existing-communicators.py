# MPI_Comm_set_errhandler: a change does not affect communicators made before [MPI-5.0 §9.3]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
from commsplit import expect

world = MPI.COMM_WORLD
me = world.Get_rank()
part = world.Split(0, me)
part.Set_errhandler(MPI.ERRORS_RETURN)
child = part.Split(0, me)
part.Set_errhandler(MPI.ERRORS_ARE_FATAL)
expect(child.Get_errhandler() == MPI.ERRORS_RETURN, "inherited when it was made")

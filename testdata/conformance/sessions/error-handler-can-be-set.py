# MPI_Session_set_errhandler: attaches a handler, which MPI_Session_get_errhandler gives [MPI-5.0 §9.3.4]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
from commsplit import expect

world = MPI.COMM_WORLD
me = world.Get_rank()
session = MPI.Session.Init()
session.Set_errhandler(MPI.ERRORS_ARE_FATAL)
expect(session.Get_errhandler() == MPI.ERRORS_ARE_FATAL)
session.Set_errhandler(MPI.ERRORS_RETURN)
expect(session.Get_errhandler() == MPI.ERRORS_RETURN)
session.Finalize()

# MPI_Session_get_errhandler: gives the handler that the session was opened with [MPI-5.0 §9.3.4]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
from commsplit import expect

world = MPI.COMM_WORLD
me = world.Get_rank()
session = MPI.Session.Init(MPI.INFO_NULL, MPI.ERRORS_RETURN)
expect(session.Get_errhandler() == MPI.ERRORS_RETURN)
session.Finalize()

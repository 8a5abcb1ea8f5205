# MPI_Session_set_errhandler: a handler for communicators does not fit a session, nor the other way round [MPI-5.0 §9.3]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
from commsplit import expect_error

world = MPI.COMM_WORLD
me = world.Get_rank()
session = MPI.Session.Init()
ours = MPI.Session.Create_errhandler(lambda session, code: None)
theirs = MPI.Comm.Create_errhandler(lambda comm, code: None)
expect_error(MPI.ERR_ERRHANDLER, session.Set_errhandler, theirs)
expect_error(MPI.ERR_ERRHANDLER, world.Set_errhandler, ours)
session.Finalize()

# MPI_Session_create_errhandler: the handler is called for errors of calls on the session [MPI-5.0 §9.3.4]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
from commsplit import expect, expect_error

world = MPI.COMM_WORLD
me = world.Get_rank()
seen = []
own = MPI.Session.Create_errhandler(lambda session, code: seen.append(code))
session = MPI.Session.Init(MPI.INFO_NULL, own)
expect(session.Get_errhandler() == own)
expect_error(MPI.ERR_ARG, session.Get_nth_pset, -1)
expect(seen == [MPI.ERR_ARG])
session.Finalize()
own.Free()

# MPI_Session_call_errhandler: invokes the handler of the session [MPI-5.0 §9.5]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
from commsplit import expect

world = MPI.COMM_WORLD
me = world.Get_rank()
seen = []
session = MPI.Session.Init()
session.Set_errhandler(MPI.Session.Create_errhandler(lambda session, code: seen.append(code)))
session.Call_errhandler(MPI.ERR_OTHER)
expect(seen == [MPI.ERR_OTHER])
session.Finalize()

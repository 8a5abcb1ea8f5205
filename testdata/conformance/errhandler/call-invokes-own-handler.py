# MPI_Comm_call_errhandler: invokes the handler, and succeeds when that returns [MPI-5.0 §9.5]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
from commsplit import expect

world = MPI.COMM_WORLD
me = world.Get_rank()
seen = []
own = MPI.Comm.Create_errhandler(lambda comm, code: seen.append(code))
part = world.Split(0, me)
part.Set_errhandler(own)
part.Call_errhandler(MPI.ERR_OTHER)
expect(seen == [MPI.ERR_OTHER])

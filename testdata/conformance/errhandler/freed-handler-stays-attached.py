# MPI_Errhandler_free: the handle is null, and the handler serves where it is attached [MPI-5.0 §9.3.5]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
from commsplit import expect

world = MPI.COMM_WORLD
me = world.Get_rank()
seen = []
own = MPI.Comm.Create_errhandler(lambda comm, code: seen.append(code))
part = world.Split(0, me)
part.Set_errhandler(own)
own.Free()
expect(own == MPI.ERRHANDLER_NULL)
part.Call_errhandler(MPI.ERR_OTHER)
expect(seen == [MPI.ERR_OTHER])

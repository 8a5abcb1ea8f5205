# MPI_Comm_call_errhandler: a handler gets codes that the program has added [MPI-5.0 §9.5]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
from commsplit import expect

world = MPI.COMM_WORLD
me = world.Get_rank()
code = MPI.Add_error_code(MPI.Add_error_class())
seen = []
part = world.Split(0, me)
part.Set_errhandler(MPI.Comm.Create_errhandler(lambda comm, code: seen.append(code)))
part.Call_errhandler(code)
expect(seen == [code])

# MPI_Comm_create_errhandler: the handler is called with the communicator and the error [MPI-5.0 §9.3.1]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
from commsplit import expect, expect_error

world = MPI.COMM_WORLD
me = world.Get_rank()
seen = []

def handler(comm, code):
    seen.append((comm == part, MPI.Get_error_class(code)))

part = world.Split(0, me)
own = MPI.Comm.Create_errhandler(handler)
part.Set_errhandler(own)
expect_error(MPI.ERR_ARG, part.Split, -1)
expect(seen == [(True, MPI.ERR_ARG)])
expect(part.Get_errhandler() == own)

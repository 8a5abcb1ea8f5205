# MPI_Comm_create_errhandler: a handler may make calls, whose errors go to their own handlers [MPI-5.0 §9.3]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
from commsplit import expect, expect_error

world = MPI.COMM_WORLD
me = world.Get_rank()
seen = []

def outer(comm, code):
    seen.append("outer")
    expect_error(MPI.ERR_RANK, inner.Get_group().Incl, [99])
    inner.Call_errhandler(MPI.ERR_RANK)

part = world.Split(0, me)
inner = world.Split(0, me)
inner.Set_errhandler(MPI.Comm.Create_errhandler(lambda comm, code: seen.append("inner")))
part.Set_errhandler(MPI.Comm.Create_errhandler(outer))
part.Call_errhandler(MPI.ERR_OTHER)
expect(seen == ["outer", "inner"])

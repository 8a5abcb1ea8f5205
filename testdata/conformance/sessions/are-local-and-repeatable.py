# MPI_Session_init: is local, and can be called several times, also after a finalize [MPI-5.0 §11.3.1]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
from commsplit import expect

world = MPI.COMM_WORLD
me = world.Get_rank()
for i in range(me + 1):
    session = MPI.Session.Init()
    expect(session != MPI.SESSION_NULL, "a session")
    session.Finalize()
first = MPI.Session.Init()
second = MPI.Session.Init()
expect(first != second, "two sessions at once")

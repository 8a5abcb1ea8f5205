# MPI_Group_from_session_pset: the group of the processes of a set [MPI-5.0 §7.3.2]
# commsplit: -n 4 --topo core:4 --pset app://ocean=1-3
from mpi4py import MPI
from commsplit import expect

world = MPI.COMM_WORLD
me = world.Get_rank()
session = MPI.Session.Init()
everybody = session.Create_group("mpi://WORLD")
expect(everybody.Get_size() == 4 and everybody.Get_rank() == me, "all processes")
alone = session.Create_group("mpi://SELF")
expect(alone.Get_size() == 1 and alone.Get_rank() == 0, "the calling one")
if me > 0:
    expect(session.Create_group("app://ocean").Get_rank() == me - 1, "1 2 3")

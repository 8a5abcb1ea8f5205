# MPI_Comm_create_from_group makes a communicator of a group, without a parent communicator [MPI-5.0 §7.4.2]
# commsplit: -n 6 --topo core:6
from mpi4py import MPI
from commsplit import expect, expect_parts, note

note("The group comes from a process set of a session; only its members call. Here are three of them.")
note("With the empty group the call is local and gives MPI_COMM_NULL.")
session = MPI.Session.Init()
everybody = session.Create_group("mpi://WORLD")
me = everybody.Get_rank()
made = MPI.COMM_NULL
if me in [1, 3, 5]:
    made = MPI.Intracomm.Create_from_group(everybody.Incl([5, 3, 1]), "org.example.odd")
expect_parts(made, [[5, 3, 1]])

# No other rank calls here.
if me == 0:
    expect(MPI.Intracomm.Create_from_group(MPI.GROUP_EMPTY, "org.example.none") == MPI.COMM_NULL, "a local call")

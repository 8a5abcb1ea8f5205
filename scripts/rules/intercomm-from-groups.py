# MPI_Intercomm_create_from_groups is invoked by all processes of both groups [MPI-5.0 §7.4.2]
# commsplit: -n 5 --topo core:5
from mpi4py import MPI
from commsplit import expect, expect_parts, note

note("Ranks 0 and 2 face ranks 3 and 1. Rank 4 does not call.")
session = MPI.Session.Init()
everybody = session.Create_group("mpi://WORLD")
me = everybody.Get_rank()
left, right = everybody.Incl([0, 2]), everybody.Incl([3, 1])
inter = MPI.COMM_NULL
if me in [0, 2]:
    inter = MPI.Intercomm.Create_from_groups(left, 0, right, 0, "org.example.pair")
elif me in [1, 3]:
    inter = MPI.Intercomm.Create_from_groups(right, 0, left, 0, "org.example.pair")
expect_parts(inter, [([0, 2], [3, 1])])
expect((inter == MPI.COMM_NULL) == (me == 4), "a process in neither group holds nothing")

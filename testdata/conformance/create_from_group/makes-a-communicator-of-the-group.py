# MPI_Comm_create_from_group: newcomm has the processes of the group, in its order [MPI-5.0 §7.4.2]
# commsplit: -n 4 --topo core:4
from mpi4py import MPI
from commsplit import expect, expect_parts

world = MPI.COMM_WORLD
me = world.Get_rank()
session = MPI.Session.Init()
group = session.Create_group("mpi://WORLD")
comm = MPI.Intracomm.Create_from_group(group, "org.example.all")
expect_parts(comm, [[0, 1, 2, 3]])
reverse = MPI.Intracomm.Create_from_group(group.Incl([3, 2, 1, 0]), "org.example.reverse")
expect_parts(reverse, [[3, 2, 1, 0]])
expect(comm.allgather(me) == [0, 1, 2, 3], "it communicates")

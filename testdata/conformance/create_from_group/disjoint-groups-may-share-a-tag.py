# MPI_Comm_create_from_group: disjoint groups do not disturb each other, even with one stringtag [MPI-5.0 §7.4.2]
# commsplit: -n 4 --topo core:4
from mpi4py import MPI
from commsplit import expect_parts

world = MPI.COMM_WORLD
me = world.Get_rank()
session = MPI.Session.Init()
everybody = session.Create_group("mpi://WORLD")
group = everybody.Incl([2, 0] if me % 2 == 0 else [1, 3])
expect_parts(MPI.Intracomm.Create_from_group(group, "org.example.half"), [[2, 0], [1, 3]])

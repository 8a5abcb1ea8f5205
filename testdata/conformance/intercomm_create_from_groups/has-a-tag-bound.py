# MPI_Intercomm_create_from_groups: MPI_TAG_UB is attached to newintercomm [MPI-5.0 §9.1.2]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
from commsplit import expect

world = MPI.COMM_WORLD
me = world.Get_rank()
session = MPI.Session.Init()
everybody = session.Create_group("mpi://WORLD")
inter = MPI.Intercomm.Create_from_groups(everybody.Incl([me]), 0, everybody.Incl([1 - me]), 0, "org.example.pair")
bound = inter.Get_attr(MPI.TAG_UB)
expect(bound >= 32767, "at least 32767")
expect(world.allgather(bound) == [bound, bound], "the same on all processes")

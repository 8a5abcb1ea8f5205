# MPI_Comm_create_from_group: all must give an identical stringtag, or they wait for each other [MPI-5.0 §7.4.2]
# commsplit: -n 2 --topo core:2
# ends: 4 DEADLOCK
from mpi4py import MPI

world = MPI.COMM_WORLD
me = world.Get_rank()
session = MPI.Session.Init()
group = session.Create_group("mpi://WORLD")
MPI.Intracomm.Create_from_group(group, "org.example.a" if me == 0 else "org.example.b")

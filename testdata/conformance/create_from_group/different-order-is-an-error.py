# MPI_Comm_create_from_group: all must give the same members in the same order, MPI_ERR_GROUP [MPI-5.0 §7.4.2]
# commsplit: -n 2 --topo core:2
# ends: 3 MPI_ERR_GROUP
from mpi4py import MPI

world = MPI.COMM_WORLD
me = world.Get_rank()
session = MPI.Session.Init()
group = session.Create_group("mpi://WORLD").Incl([0, 1] if me == 0 else [1, 0])
MPI.Intracomm.Create_from_group(group, "org.example.all")

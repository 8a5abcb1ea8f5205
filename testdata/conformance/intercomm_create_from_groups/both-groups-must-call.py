# MPI_Intercomm_create_from_groups: is called by all processes of both groups [MPI-5.0 §7.6.2]
# commsplit: -n 2 --topo core:2
# ends: 4 DEADLOCK
from mpi4py import MPI

world = MPI.COMM_WORLD
me = world.Get_rank()
session = MPI.Session.Init()
everybody = session.Create_group("mpi://WORLD")
if me == 0:
    MPI.Intercomm.Create_from_groups(everybody.Incl([0]), 0, everybody.Incl([1]), 0, "org.example.pair")

# MPI_Intercomm_create_from_groups: a leader is a rank in its group, MPI_ERR_RANK [MPI-5.0 §7.6.2]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
from commsplit import expect_error

world = MPI.COMM_WORLD
me = world.Get_rank()
session = MPI.Session.Init()
everybody = session.Create_group("mpi://WORLD")
mine = everybody.Incl([me])
other = everybody.Incl([1 - me])
expect_error(MPI.ERR_RANK, MPI.Intercomm.Create_from_groups, mine, 1, other, 0, "org.example.local")
expect_error(MPI.ERR_RANK, MPI.Intercomm.Create_from_groups, mine, 0, other, -1, "org.example.remote")

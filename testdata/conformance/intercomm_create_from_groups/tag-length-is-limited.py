# MPI_Intercomm_create_from_groups: stringtag has at most MPI_MAX_STRINGTAG_LEN characters, MPI_ERR_ARG [MPI-5.0 §7.6.2]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
from commsplit import expect_error

world = MPI.COMM_WORLD
me = world.Get_rank()
session = MPI.Session.Init()
everybody = session.Create_group("mpi://WORLD")
mine = everybody.Incl([me])
other = everybody.Incl([1 - me])
tag = "x" * (MPI.MAX_STRINGTAG_LEN + 1)
expect_error(MPI.ERR_ARG, MPI.Intercomm.Create_from_groups, mine, 0, other, 0, tag)

# MPI_Intercomm_create_from_groups: MPI_GROUP_NULL is not a group, MPI_ERR_GROUP [MPI-5.0 §7.6.2]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
from commsplit import expect_error

session = MPI.Session.Init()
mine = session.Create_group("mpi://SELF")
expect_error(MPI.ERR_GROUP, MPI.Intercomm.Create_from_groups, mine, 0, MPI.GROUP_NULL, 0, "org.example.none")
expect_error(MPI.ERR_GROUP, MPI.Intercomm.Create_from_groups, MPI.GROUP_NULL, 0, mine, 0, "org.example.none")

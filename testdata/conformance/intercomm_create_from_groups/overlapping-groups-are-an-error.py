# MPI_Intercomm_create_from_groups: the two groups must be disjoint, MPI_ERR_GROUP [MPI-5.0 §7.6.2]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
from commsplit import expect_error

session = MPI.Session.Init()
everybody = session.Create_group("mpi://WORLD")
expect_error(MPI.ERR_GROUP, MPI.Intercomm.Create_from_groups, everybody, 0, everybody.Incl([1]), 0, "org.example.both")

# MPI_Group_from_session_pset: pset_name must be a set of the session, MPI_ERR_ARG [MPI-5.0 §7.3.2]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
from commsplit import expect_error

session = MPI.Session.Init()
expect_error(MPI.ERR_ARG, session.Create_group, "app://atlantis")
expect_error(MPI.ERR_ARG, session.Get_pset_info, "app://atlantis")

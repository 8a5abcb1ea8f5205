# MPI_Session_get_nth_pset: n counts from 0 and is below MPI_Session_get_num_psets, MPI_ERR_ARG [MPI-5.0 §11.3.3]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
from commsplit import expect_error

session = MPI.Session.Init()
expect_error(MPI.ERR_ARG, session.Get_nth_pset, session.Get_num_psets())
expect_error(MPI.ERR_ARG, session.Get_nth_pset, -1)

# MPI_Session_finalize: the handle becomes MPI_SESSION_NULL, which no call accepts, MPI_ERR_SESSION [MPI-5.0 §11.3.1]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
from commsplit import expect, expect_error

session = MPI.Session.Init()
session.Finalize()
expect(session == MPI.SESSION_NULL, "the handle is null")
expect_error(MPI.ERR_SESSION, session.Get_num_psets)
expect_error(MPI.ERR_SESSION, MPI.SESSION_NULL.Finalize)

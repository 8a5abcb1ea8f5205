# MPI_Session_init: objects of different sessions must not be mixed in one call, MPI_ERR_SESSION [MPI-5.0 §11.3.1]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
from commsplit import expect_error

a = MPI.Session.Init().Create_group("mpi://WORLD")
b = MPI.Session.Init().Create_group("mpi://SELF")
expect_error(MPI.ERR_SESSION, MPI.Group.Union, a, b)

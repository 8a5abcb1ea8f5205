# MPI_Comm_create_from_group: errhandler is attached to the new communicator [MPI-5.0 §7.4.2]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
from commsplit import expect

session = MPI.Session.Init()
group = session.Create_group("mpi://WORLD")
fatal = MPI.Intracomm.Create_from_group(group, "org.example.fatal", MPI.INFO_NULL, MPI.ERRORS_ARE_FATAL)
returns = MPI.Intracomm.Create_from_group(group, "org.example.return", MPI.INFO_NULL, MPI.ERRORS_RETURN)
expect(fatal.Get_errhandler() == MPI.ERRORS_ARE_FATAL, "the one given")
expect(returns.Get_errhandler() == MPI.ERRORS_RETURN, "the one given")

# MPI_Session_get_info: gives a new info object with the hints of the session [MPI-5.0 §11.3.3]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
from commsplit import expect

session = MPI.Session.Init()
info = session.Get_info()
expect(info != MPI.INFO_NULL, "an info object")
info.Free()
expect(session.Get_info() != MPI.INFO_NULL, "a new one each time")

# MPI_Comm_create_from_group: each call gives a new context [MPI-5.0 §7.4.2]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
from commsplit import expect

session = MPI.Session.Init()
group = session.Create_group("mpi://WORLD")
first = MPI.Intracomm.Create_from_group(group, "org.example.first")
second = MPI.Intracomm.Create_from_group(group, "org.example.second")
expect(MPI.Comm.Compare(first, second) == MPI.CONGRUENT, "the same group in two contexts")

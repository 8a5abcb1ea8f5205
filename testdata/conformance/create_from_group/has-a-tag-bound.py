# MPI_Comm_create_from_group: MPI_TAG_UB is attached to newcomm, equal on all processes [MPI-5.0 §9.1.2]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
from commsplit import expect

session = MPI.Session.Init()
comm = MPI.Intracomm.Create_from_group(session.Create_group("mpi://WORLD"), "org.example.all")
bounds = comm.allgather(comm.Get_attr(MPI.TAG_UB))
expect(bounds[0] == bounds[1] and bounds[0] >= 32767, "at least 32767, and the same")

# MPI_Comm_create_from_group: any string that is not too long identifies the operation, "" too [MPI-5.0 §7.4.2]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
from commsplit import expect_parts

session = MPI.Session.Init()
expect_parts(MPI.Intracomm.Create_from_group(session.Create_group("mpi://WORLD"), ""), [[0, 1]])

# MPI_Comm_create_from_group: a process that is not in the group gets MPI_COMM_NULL at once [MPI-5.0 §7.4.2]
# commsplit: -n 4 --topo core:4
from mpi4py import MPI
from commsplit import expect_parts

session = MPI.Session.Init()
group = session.Create_group("mpi://WORLD").Incl([1, 2])
expect_parts(MPI.Intracomm.Create_from_group(group, "org.example.middle"), [[1, 2]])

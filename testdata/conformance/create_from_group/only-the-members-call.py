# MPI_Comm_create_from_group: all processes in the group must call, and nobody else [MPI-5.0 §7.4.2]
# commsplit: -n 4 --topo core:4
from mpi4py import MPI
from commsplit import expect_parts

world = MPI.COMM_WORLD
me = world.Get_rank()
session = MPI.Session.Init()
group = session.Create_group("mpi://WORLD").Incl([2, 0])
comm = MPI.COMM_NULL
if me in [0, 2]:
    comm = MPI.Intracomm.Create_from_group(group, "org.example.pair")
expect_parts(comm, [[2, 0]])

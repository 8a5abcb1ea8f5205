# MPI_Comm_get_attr: MPI_IO is MPI_ANY_SOURCE where every process can do I/O, or a rank [MPI-5.0 §9.1.2]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
from commsplit import expect

world = MPI.COMM_WORLD
io = world.Get_attr(MPI.IO)
expect(io in [MPI.ANY_SOURCE, MPI.PROC_NULL, 0, 1], "everybody, nobody, or a process")

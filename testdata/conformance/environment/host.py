# MPI_Comm_get_attr: MPI_HOST is the rank of a host process, MPI_PROC_NULL for none (deprecated) [MPI-4.0 §9.1.2]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
from commsplit import expect

world = MPI.COMM_WORLD
# None: it need not be there after its deprecation in MPI-4.1.
expect(world.Get_attr(MPI.HOST) in [None, MPI.PROC_NULL, 0, 1], "a process, or nobody")

# MPI_Comm_create_from_group: each of the processes must provide the same arguments, errhandler among them [MPI-5.0 §7.4.2]
# commsplit: -n 4 --topo core:4
# ends: 3 rank 0 passes MPI_ERRORS_ARE_FATAL; ranks 1-3 pass MPI_ERRORS_RETURN
from mpi4py import MPI

world = MPI.COMM_WORLD
handler = MPI.ERRORS_RETURN if world.Get_rank() else MPI.ERRORS_ARE_FATAL
MPI.Intracomm.Create_from_group(world.Get_group(), "org.example", MPI.INFO_NULL, handler)

# MPI_Bcast: on a communicator in the making the call that is made is the erroneous one [MPI-5.0 §9.3]
# commsplit: -n 2 --topo core:2
# ends: 3 MPI_ERR_COMM in MPI_Bcast
from mpi4py import MPI

world = MPI.COMM_WORLD
MPI.COMM_SELF.Set_errhandler(MPI.ERRORS_ARE_FATAL)  # takes errors that belong to no communicator
copy, request = world.Idup()
world.Barrier()
copy.bcast(1)

# MPI_Error_string: tells what an error class means [MPI-5.0 §9.3.5]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
from commsplit import expect

world = MPI.COMM_WORLD
me = world.Get_rank()
expect("ARG" in MPI.Get_error_string(MPI.ERR_ARG))
expect(MPI.Get_error_string(MPI.ERR_ARG) != MPI.Get_error_string(MPI.ERR_COMM))
expect(len(MPI.Get_error_string(MPI.ERR_INTERN)) < MPI.MAX_ERROR_STRING)

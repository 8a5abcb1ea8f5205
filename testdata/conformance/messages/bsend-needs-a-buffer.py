# MPI_Bsend: a buffered send needs an attached buffer, else it is an error [MPI-5.0 §3.6]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
from commsplit import world, expect_error

expect_error(MPI.ERR_BUFFER, world.bsend, 1, 0)

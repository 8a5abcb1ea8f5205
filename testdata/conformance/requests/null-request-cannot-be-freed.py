# MPI_Request_free: MPI_REQUEST_NULL is not a request to free or cancel [MPI-5.0 §3.7.3]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
from commsplit import expect_error

world = MPI.COMM_WORLD
me = world.Get_rank()
expect_error(MPI.ERR_REQUEST, MPI.Request().Free)
expect_error(MPI.ERR_REQUEST, MPI.Request().Cancel)

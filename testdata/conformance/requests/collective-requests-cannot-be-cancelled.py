# MPI_Cancel: requests of nonblocking collective calls can be neither cancelled nor freed [MPI-5.0 §6.12]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
from commsplit import expect_error

world = MPI.COMM_WORLD
me = world.Get_rank()
request = world.Ibarrier()
expect_error(MPI.ERR_REQUEST, request.Cancel)
expect_error(MPI.ERR_REQUEST, request.Free)
request.Wait()

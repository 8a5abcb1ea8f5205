# MPI_Info_free: the predefined MPI_INFO_ENV must not be freed or changed [MPI-5.0 §2.5.1]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
from commsplit import expect_error

world = MPI.COMM_WORLD
me = world.Get_rank()
expect_error(MPI.ERR_INFO, MPI.INFO_ENV.Free)
expect_error(MPI.ERR_INFO, MPI.INFO_ENV.Set, "maxprocs", "3")

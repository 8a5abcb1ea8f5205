# MPI_Comm_idup_with_info: newcomm must not be used before the operation completes, MPI_ERR_COMM [MPI-5.0 §7.4.2]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
from commsplit import expect_error

world = MPI.COMM_WORLD
copy, request = world.Idup_with_info(MPI.INFO_NULL)
expect_error(MPI.ERR_COMM, copy.Barrier)
request.Wait()
copy.Barrier()

# MPI_Comm_idup: newcomm must not be used before the operation completes, MPI_ERR_COMM [MPI-5.0 §7.4.2]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
from commsplit import expect, expect_error

world = MPI.COMM_WORLD
copy, request = world.Idup()
expect_error(MPI.ERR_COMM, copy.Get_size)
request.Wait()
expect(copy.Get_size() == 2, "after completion it can be used")

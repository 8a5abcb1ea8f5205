# The communicator of MPI_Comm_idup must not be used before the operation completes [MPI-5.0 §7.4.2]
# commsplit: -n 3 --topo core:3
from mpi4py import MPI
from commsplit import expect_error, expect_parts, note, world

note("MPI_Comm_idup returns at once; its communicator is not complete yet.")
copy, request = world.Idup()
expect_error(MPI.ERR_COMM, copy.Barrier)
expect_error(MPI.ERR_COMM, copy.Dup)

note("When the request is complete, it is a communicator like any other.")
request.Wait()
copy.Barrier()
expect_parts(copy, [[0, 1, 2]])

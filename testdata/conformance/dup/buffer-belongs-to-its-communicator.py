# MPI_Comm_detach_buffer: gives back the buffer of this communicator, MPI_ERR_BUFFER without one [MPI-5.0 §3.6]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
from commsplit import expect_error

world = MPI.COMM_WORLD
me = world.Get_rank()
part = world.Split(0, me)
expect_error(MPI.ERR_BUFFER, part.Detach_buffer)
part.Attach_buffer(1 << 16)
expect_error(MPI.ERR_BUFFER, world.Detach_buffer)
part.Detach_buffer()
part.Attach_buffer(1 << 10)
part.Detach_buffer()

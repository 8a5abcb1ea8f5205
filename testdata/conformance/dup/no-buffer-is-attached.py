# MPI_Comm_attach_buffer: a duplicate has no buffer attached, so one can be attached [MPI-5.0 §7.4.2]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
from commsplit import expect_error

world = MPI.COMM_WORLD
me = world.Get_rank()
part = world.Split(0, me)
part.Attach_buffer(1 << 16)
expect_error(MPI.ERR_BUFFER, part.Attach_buffer, 1 << 16)
copy = part.Dup()
copy.Attach_buffer(1 << 16)
copy.Detach_buffer()
expect_error(MPI.ERR_BUFFER, copy.Detach_buffer)
part.Detach_buffer()

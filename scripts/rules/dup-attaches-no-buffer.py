# MPI_Comm_dup: the new communicator has no buffer attached [MPI-5.0 §7.4.2]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
from commsplit import expect_error, expect_parts, note, world

note("A communicator has at most one buffer for buffered sends. Attaching a second buffer is an error.")
part = world.Split(0, 0)
part.Attach_buffer(1 << 16)
expect_error(MPI.ERR_BUFFER, part.Attach_buffer, 1 << 16)

note("Its duplicate has no buffer: there is nothing to detach, and a buffer can be attached.")
copy = part.Dup()
expect_error(MPI.ERR_BUFFER, copy.Detach_buffer)
copy.Attach_buffer(1 << 16)
copy.Detach_buffer()
part.Detach_buffer()
expect_parts(copy, [[0, 1]])

# The predefined attributes of MPI_COMM_WORLD: which ranks do I/O, and whether clocks agree [MPI-5.0 §9.1.2]
# commsplit: -n 3 --topo core:3
from mpi4py import MPI
from commsplit import expect, expect_parts, note, world

note("MPI_IO: MPI_ANY_SOURCE if every process can do I/O, a rank that can, or MPI_PROC_NULL.")
io = world.Get_attr(MPI.IO)
expect(io in [MPI.ANY_SOURCE, MPI.PROC_NULL] or 0 <= io and io < world.Get_size(), "one of these")

note("MPI_WTIME_IS_GLOBAL: 1 or 0, the same on all processes; it need not be there.")
clock = world.Get_attr(MPI.WTIME_IS_GLOBAL)
expect(clock in [None, 0, 1], "a truth value, if any")
expect(world.allgather(clock) == [clock] * 3, "the same everywhere")
expect_parts(world, [[0, 1, 2]])

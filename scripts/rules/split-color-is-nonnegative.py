# The value of color must be nonnegative or MPI_UNDEFINED [MPI-5.0 §7.4.2]
# commsplit: -n 4 --topo core:4
from mpi4py import MPI
from commsplit import expect_error, expect_parts, note, world

note("A negative color could be the value of MPI_UNDEFINED, so it is an error.")
me = world.Get_rank()
expect_error(MPI.ERR_ARG, world.Split, -1, me)

note("Zero and large numbers are colors.")
expect_parts(world.Split(0 if me < 2 else 2147483647, me), [[0, 1], [2, 3]])

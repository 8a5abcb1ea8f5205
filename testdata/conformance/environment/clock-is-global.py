# MPI_Comm_get_attr: MPI_WTIME_IS_GLOBAL is 1 or 0, the same on all processes, if it is there [MPI-5.0 §9.1.2]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
from commsplit import expect

world = MPI.COMM_WORLD
value = world.Get_attr(MPI.WTIME_IS_GLOBAL)
# None: the attribute need not be present when the clocks are not synchronized.
expect(value in [None, 0, 1], "a logical")
expect(world.allgather(value) == [value, value], "the same everywhere")

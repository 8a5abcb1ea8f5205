# MPI_Comm_split: ties in key are broken by the rank in the old group [MPI-5.0 §7.4.2]
# commsplit: -n 6 --topo core:6
from mpi4py import MPI
from commsplit import expect_parts

world = MPI.COMM_WORLD
me = world.Get_rank()
expect_parts(world.Split(0, 3), [[0, 1, 2, 3, 4, 5]])
# Keys 1 0 1 0 1 0: 1, 3, 5 have key 0.
expect_parts(world.Split(0, (me + 1) % 2), [[1, 3, 5, 0, 2, 4]])
# The old group is that of the communicator that is split, not the world.
reverse = world.Split(0, -me)
expect_parts(reverse.Split(0, 0), [[5, 4, 3, 2, 1, 0]])

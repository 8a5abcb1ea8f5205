# MPI_Comm_split: each process may provide its own color and key [MPI-5.0 §7.4.2]
# commsplit: -n 6 --topo core:6
from mpi4py import MPI
from commsplit import expect_parts

world = MPI.COMM_WORLD
me = world.Get_rank()
colors = [1, 0, 1, 2, 0, 1]
keys = [3, 1, 2, 0, -1, 2]
# Color 0: 4 (key -1), 1 (1). Color 1: 2 (2), 5 (2), 0 (3). Color 2: 3.
expect_parts(world.Split(colors[me], keys[me]), [[4, 1], [2, 5, 0], [3]])

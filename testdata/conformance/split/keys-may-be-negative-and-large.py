# MPI_Comm_split: key is any integer; its sign counts in the order [MPI-5.0 §7.4.2]
# commsplit: -n 4 --topo core:4
from mpi4py import MPI
from commsplit import expect_parts

world = MPI.COMM_WORLD
me = world.Get_rank()
keys = [2147483647, -1, 0, -2147483648]
expect_parts(world.Split(0, keys[me]), [[3, 1, 2, 0]])

# MPI_Comm_split: a split of a split is a split by both colors [MPI-5.0 §7.4.2]
# commsplit: -n 8 --topo core:8
from mpi4py import MPI
from commsplit import expect_parts

world = MPI.COMM_WORLD
me = world.Get_rank()
half = world.Split(me % 2, me)
expect_parts(half.Split(half.Get_rank() // 2, 0), [[0, 2], [4, 6], [1, 3], [5, 7]])

# MPI_Comm_split: on an intercommunicator, too, MPI_UNDEFINED gives MPI_COMM_NULL [MPI-5.0 §7.4.2]
# commsplit: -n 6 --topo core:6
from mpi4py import MPI
from commsplit import expect, expect_parts

world = MPI.COMM_WORLD
me = world.Get_rank()
half = world.Split(me % 2, me)  # evens and odds
inter = half.Create_intercomm(0, world, 1 - me % 2)
color = MPI.UNDEFINED if me in [2, 5] else 0
expect_parts(inter.Split(color, 0), [([0, 4], [1, 3])])
expect(inter.Split(MPI.UNDEFINED if me % 2 == 0 else 0, 0) == MPI.COMM_NULL, "nobody is left on one side")

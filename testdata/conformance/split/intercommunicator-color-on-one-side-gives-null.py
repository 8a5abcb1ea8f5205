# MPI_Comm_split: a color that only one side of an intercommunicator has gives MPI_COMM_NULL [MPI-5.0 §7.4.2]
# commsplit: -n 6 --topo core:6
from mpi4py import MPI
from commsplit import expect_parts

world = MPI.COMM_WORLD
me = world.Get_rank()
half = world.Split(me % 2, me)  # evens and odds
inter = half.Create_intercomm(0, world, 1 - me % 2)
colors = [0, 5, 5] if me % 2 == 0 else [0, 0, 6]
expect_parts(inter.Split(colors[inter.Get_rank()], 0), [([0], [1, 3])])

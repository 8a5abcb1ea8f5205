# MPI_Comm_split: of an intercommunicator, left and right with the same color combine [MPI-5.0 §7.4.2]
# commsplit: -n 6 --topo core:6
from mpi4py import MPI
from commsplit import expect, expect_parts

world = MPI.COMM_WORLD
me = world.Get_rank()
half = world.Split(me % 2, me)  # evens and odds
inter = half.Create_intercomm(0, world, 1 - me % 2)
# Local ranks 0 1 2 on both sides; colors 0 0 1 on the left, 0 1 1 on the right.
colors = [0, 0, 1] if me % 2 == 0 else [0, 1, 1]
comm = inter.Split(colors[inter.Get_rank()], 0)
expect_parts(comm, [([0, 2], [1]), ([4], [3, 5])])
expect(comm.Is_inter(), "intercommunicators")

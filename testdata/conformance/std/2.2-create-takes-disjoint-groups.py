# MPI_Comm_create: since MPI-2.2 the processes may give disjoint groups [MPI-2.2 §6.4.2]
# commsplit: -n 4 --topo core:4 --std 2.2
from mpi4py import MPI
from commsplit import expect_parts

world = MPI.COMM_WORLD
me = world.Get_rank()
everybody = world.Get_group()
expect_parts(world.Create(everybody.Incl([0, 1] if me < 2 else [3, 2])), [[0, 1], [3, 2]])

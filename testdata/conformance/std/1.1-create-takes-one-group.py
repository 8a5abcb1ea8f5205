# MPI_Comm_create: in MPI-1.1 all processes of comm must give the same group, MPI_ERR_GROUP [MPI-1.1 §5.4.2]
# commsplit: -n 4 --topo core:4 --std 1.1
from mpi4py import MPI
from commsplit import expect_error, expect_parts

world = MPI.COMM_WORLD
me = world.Get_rank()
everybody = world.Get_group()
expect_parts(world.Create(everybody.Incl([2, 0])), [[2, 0]])
group = everybody.Incl([0, 1] if me < 2 else [2, 3])
expect_error(MPI.ERR_GROUP, world.Create, group)

# MPI_Comm_create: processes may give different, disjoint groups in one call (since MPI-2.2) [MPI-5.0 §7.4.2]
# commsplit: -n 6 --topo core:6
from mpi4py import MPI
from commsplit import expect_parts

world = MPI.COMM_WORLD
me = world.Get_rank()
everybody = world.Get_group()
groups = [everybody.Incl([2, 0]), everybody.Incl([1, 5, 3]), MPI.GROUP_EMPTY]
mine = 2 if me == 4 else me % 2
expect_parts(world.Create(groups[mine]), [[2, 0], [1, 5, 3]])

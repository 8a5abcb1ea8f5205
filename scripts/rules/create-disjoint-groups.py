# MPI_Comm_create takes several groups in one call, if they are disjoint [MPI-5.0 §7.4.2]
# commsplit: -n 7 --topo core:7
from mpi4py import MPI
from commsplit import expect_parts, note, world

note("Since MPI 2.2 the processes may specify different groups. Here are three groups; rank 6 is in none.")
me = world.Get_rank()
groups = [[0, 1], [5, 3, 2], [4]]
mine = [g for g in groups if me in g]
everybody = world.Get_group()
group = everybody.Incl(mine[0]) if mine else MPI.GROUP_EMPTY
expect_parts(world.Create(group), [[0, 1], [5, 3, 2], [4]])

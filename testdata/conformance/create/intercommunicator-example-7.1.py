# MPI_Comm_create: Example 7.1, the first of the left side joins all of the right [MPI-5.0 §7.4.2]
# commsplit: -n 6 --topo core:6
from mpi4py import MPI
from commsplit import expect_parts

world = MPI.COMM_WORLD
me = world.Get_rank()
half = world.Split(me % 2, me)  # evens and odds
inter = half.Create_intercomm(0, world, 1 - me % 2)
if me % 2 == 0:  # on the left side
    local_group = inter.Get_group()
    group = local_group.Incl([0])
    local_group.Free()
else:
    group = inter.Get_group()
new_inter_comm = inter.Create(group)
group.Free()
expect_parts(new_inter_comm, [([0], [1, 3, 5])])

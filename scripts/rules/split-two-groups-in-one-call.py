# On intercommunicators MPI_Comm_split is more general than MPI_Comm_create: several in one call [MPI-5.0 §7.4.2]
# commsplit: -n 8 --topo core:8
from mpi4py import MPI
from commsplit import expect_parts, note, world

me = world.Get_rank()
first = me < 4
side = world.Split(0 if first else 1, me)
inter = side.Create_intercomm(0, world, 4 if first else 0, 0)

note("One MPI_Comm_split makes a set of disjoint intercommunicators.")
expect_parts(inter.Split(inter.Get_rank() // 2, 0), [([0, 1], [4, 5]), ([2, 3], [6, 7])])

note("MPI_Comm_create makes one at a time: all of a side pass the same group. Two calls do the same.")
low = inter.Create(inter.Get_group().Incl([0, 1]))
high = inter.Create(inter.Get_group().Incl([2, 3]))
expect_parts(low, [([0, 1], [4, 5])])
expect_parts(high, [([2, 3], [6, 7])])

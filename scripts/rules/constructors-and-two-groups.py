# Which constructors make intracommunicators, which intercommunicators, and which both [MPI-5.0 §7.4.2]
# commsplit: -n 4 --topo core:4
from mpi4py import MPI
from commsplit import expect, expect_parts, note, world

note("MPI_Intercomm_create makes an intercommunicator from two intracommunicators.")
me = world.Get_rank()
side = world.Split(me % 2, me)
inter = side.Create_intercomm(0, world, 1 - me % 2, 0)
expect(side.Is_intra() and inter.Is_inter(), "one group; two groups")

note("MPI_Comm_dup, MPI_Comm_create and MPI_Comm_split return the same kind as their argument.")
expect(side.Dup().Is_intra() and inter.Dup().Is_inter(), "dup")
expect(side.Create(side.Get_group()).Is_intra() and inter.Create(inter.Get_group()).Is_inter(), "create")
expect(side.Split(0, 0).Is_intra() and inter.Split(0, 0).Is_inter(), "split")

note("MPI_Comm_create_group takes an intracommunicator, MPI_Intercomm_merge makes one.")
expect(side.Create_group(side.Get_group(), 0).Is_intra(), "create_group")
merged = inter.Merge(me % 2 == 1)
expect_parts(merged, [[0, 2, 1, 3]])

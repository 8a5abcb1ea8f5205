# MPI_Comm_create on an intercommunicator: a group of each side, and none may be empty [MPI-5.0 §7.4.2]
# commsplit: -n 6 --topo core:6
from mpi4py import MPI
from commsplit import expect, expect_parts, note, world

me = world.Get_rank()
first = me < 3
side = world.Split(0 if first else 1, me)
inter = side.Create_intercomm(0, world, 3 if first else 0, 0)

note("All processes of a side pass the same group, of processes of that side.")
group = inter.Get_group().Incl([0, 2] if first else [1])
expect_parts(inter.Create(group), [([0, 2], [4])])

note("If either side is empty, its processes must get MPI_COMM_NULL, so all processes do.")
nobody = inter.Create(inter.Get_group() if first else MPI.GROUP_EMPTY)
expect(nobody == MPI.COMM_NULL, "MPI_COMM_NULL on both sides")

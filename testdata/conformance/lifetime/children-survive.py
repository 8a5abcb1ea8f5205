# MPI_Comm_free: communicators and groups derived from the one freed stay valid [MPI-5.0 §7.4.3]
# commsplit: -n 4 --topo core:4
from mpi4py import MPI
from commsplit import expect, expect_parts

world = MPI.COMM_WORLD
me = world.Get_rank()
half = world.Split(me % 2, me)
group = half.Get_group()
child = half.Split(0, -me)
half.Free()
expect_parts(child, [[2, 0], [3, 1]])
expect(group.Get_size() == 2, "the group")
expect(child.allreduce(me) == (2 if me % 2 == 0 else 4), "it communicates")

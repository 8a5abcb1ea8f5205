# MPI_Group_free: the handle becomes MPI_GROUP_NULL; communicators made from the group live on [MPI-5.0 §7.3.3]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
from commsplit import expect, expect_error, expect_parts

world = MPI.COMM_WORLD
group = world.Get_group()
comm = world.Create(group)
group.Free()
expect(group == MPI.GROUP_NULL, "the handle is null")
expect_parts(comm, [[0, 1]])
expect_error(MPI.ERR_GROUP, group.Get_size)

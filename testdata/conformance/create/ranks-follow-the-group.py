# MPI_Comm_create: newcomm has the group argument as its group, in its order [MPI-5.0 §7.4.2]
# commsplit: -n 6 --topo core:6
from mpi4py import MPI
from commsplit import expect, expect_parts

world = MPI.COMM_WORLD
group = world.Get_group().Incl([4, 1, 3])
comm = world.Create(group)
expect_parts(comm, [[4, 1, 3]])
if comm != MPI.COMM_NULL:
    expect(MPI.Group.Compare(comm.Get_group(), group) == MPI.IDENT, "the same members in the same order")
    expect(comm.Get_rank() == group.Get_rank(), "the rank in the group")

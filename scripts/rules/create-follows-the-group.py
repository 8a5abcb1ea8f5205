# MPI_Comm_create: the group argument defines members and order [MPI-5.0 §7.4.2]
# commsplit: -n 6 --topo core:6
from mpi4py import MPI
from commsplit import expect, expect_parts, note, world

note("All ranks pass the same group: 5, 0 and 3, in this order.")
me = world.Get_rank()
newcomm = world.Create(world.Get_group().Incl([5, 0, 3]))
expect_parts(newcomm, [[5, 0, 3]])

note("A process that is not in the group gets MPI_COMM_NULL. The others have the ranks of the group, whatever their old ranks were.")
if me in [5, 0, 3]:
    expect(newcomm.Get_rank() == [5, 0, 3].index(me), "the rank in the group")
else:
    expect(newcomm == MPI.COMM_NULL, "not a member")

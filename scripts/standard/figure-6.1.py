# Figure 6.1: MPI_Comm_create extended to intercommunicators: a group of each side [MPI-2.2 §6.4.2]
# commsplit: -n 9 --topo core:9 --std 2.2
from mpi4py import MPI
from commsplit import expect, expect_parts, note, world

# The figure draws the input groups as a grey circle on each side. The text has only the caption, so
# the numbers here are chosen: five processes on the left, four on the right.
note("Before: ranks 0-4 face ranks 5-8. The grey circles hold 0, 2, 3 on the left and 6, 8 on the right.")
on_left = world.Get_rank() < 5
side = world.Split(0 if on_left else 1, 0)
comm = side.Create_intercomm(0, world, 5 if on_left else 0, 0)
expect_parts(comm, [([0, 1, 2, 3, 4], [5, 6, 7, 8])])

# All processes of a side pass the same group, of processes of that side.
group = comm.Get_group().Incl([0, 2, 3] if on_left else [1, 3])
newcomm = comm.Create(group)

note("After: an intercommunicator of the two circles. The processes outside them hold MPI_COMM_NULL.")
expect_parts(newcomm, [([0, 2, 3], [6, 8])])
if newcomm != MPI.COMM_NULL:
    expect(newcomm.Get_rank() == {0: 0, 2: 1, 3: 2, 6: 0, 8: 1}[world.Get_rank()], "ranks are those in the groups")

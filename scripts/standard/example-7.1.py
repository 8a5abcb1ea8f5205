# Example 7.1: the first node of the left side of an intercommunicator, joined with all of the right [MPI-5.0 §7.4.2]
# commsplit: -n 7 --topo "pack:2 core:4"
from mpi4py import MPI
from commsplit import expect, expect_parts, note, world

note("Ranks 0-2 are the left side of an intercommunicator, ranks 3-6 the right one.")
# Construct the original intercommunicator: ranks 0-2 on the left side, 3-6 on the right.
on_left = world.Get_rank() < 3
local_comm = world.Split(0 if on_left else 1, world.Get_rank())
inter_comm = local_comm.Create_intercomm(0, world, 3 if on_left else 0, 0)
expect_parts(inter_comm, [([0, 1, 2], [3, 4, 5, 6])])

# Construct the group of processes to be in the new intercommunicator.
rank = 0  # rank on the left side to include in it
if on_left:
    local_group = inter_comm.Get_group()
    group = local_group.Incl([rank])
    local_group.Free()
else:
    group = inter_comm.Get_group()

new_inter_comm = inter_comm.Create(group)
group.Free()

# A process that is not in the group that it passes gets MPI_COMM_NULL; rank 0 keeps all of its partners.
expect_parts(new_inter_comm, [([0], [3, 4, 5, 6])])
if world.Get_rank() == 0:
    expect(new_inter_comm.Get_size() == 1 and new_inter_comm.Get_remote_size() == 4, "one node on the left, four on the right")

note("If either group is empty, no communication is possible: MPI_COMM_NULL for all.")
# If either group is empty, all processes get MPI_COMM_NULL.
nobody = inter_comm.Create(MPI.GROUP_EMPTY if on_left else inter_comm.Get_group())
expect(nobody == MPI.COMM_NULL, "an empty side")

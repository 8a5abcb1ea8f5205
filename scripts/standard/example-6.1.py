# Example 6.1: MPI_Comm_create on an intercommunicator, the first of the left with all of the right [MPI-2.2 §6.4.2]
# commsplit: -n 6 --topo core:6 --std 2.2
from mpi4py import MPI
from commsplit import expect, expect_parts, note, world

note("The example of MPI 2.2, which became Example 7.1. Ranks 0-3 are the left side, 4 and 5 the right.")

# Construct the original intercommunicator: inter_comm
on_left = world.Get_rank() < 4
local_comm = world.Split(0 if on_left else 1, 0)
inter_comm = local_comm.Create_intercomm(0, world, 4 if on_left else 0, 0)

# Construct the group of processes to be in the new intercommunicator
rank = 0  # rank on the left side to include
if on_left:
    local_group = inter_comm.Get_group()
    group = local_group.Incl([rank])
    local_group.Free()
else:
    group = inter_comm.Get_group()

new_inter_comm = inter_comm.Create(group)
group.Free()

expect_parts(new_inter_comm, [([0], [4, 5])])
expect((new_inter_comm == MPI.COMM_NULL) == (world.Get_rank() in [1, 2, 3]), "a process that is not in the group gets MPI_COMM_NULL")

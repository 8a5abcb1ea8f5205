# MPI_Comm_create_group, done by MPI_Intercomm_create and _merge from MPI_COMM_SELF [MPI-5.0 §7.4.2]
# commsplit: -n 7 --topo core:7
from mpi4py import MPI
from commsplit import expect, expect_parts, note, world

note("Ranks 6, 1, 3, 0 and 4 find together by twos, fours, and so on. Ranks 2 and 5 do not take part.")
note("One MPI_Comm_create_group makes the same communicator, with fewer steps.")
members = [6, 1, 3, 0, 4]

def by_merging(comm, members, tag):
    # Each process starts alone; in every round, blocks of 2^k members join their right neighbors.
    me = members.index(comm.Get_rank())
    made = MPI.COMM_SELF
    width = 1
    while width < len(members):
        block = me // width
        other = block + 1 if block % 2 == 0 else block - 1
        if other * width < len(members):
            leader = members[other * width]  # rank 0 of the other block
            inter = made.Create_intercomm(0, comm, leader, tag)
            made = inter.Merge(block % 2 == 1)
        width *= 2
    return made

def wanted(comm):
    return comm.Create_group(comm.Get_group().Incl(members), 1)

mine = world.Get_rank() in members
by_hand = by_merging(world, members, 2) if mine else MPI.COMM_NULL
by_call = wanted(world) if mine else MPI.COMM_NULL

expect_parts(by_hand, [[6, 1, 3, 0, 4]])
expect_parts(by_call, [[6, 1, 3, 0, 4]])
if mine:
    expect(MPI.Comm.Compare(by_hand, by_call) == MPI.CONGRUENT, "the same members in the same order")

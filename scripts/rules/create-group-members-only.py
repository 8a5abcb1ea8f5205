# MPI_Comm_create_group is called by the members of the group; for others it is a local call [MPI-5.0 §7.4.2]
# commsplit: -n 6 --topo core:6
from mpi4py import MPI
from commsplit import expect, expect_parts, note, world

me = world.Get_rank()
everybody = world.Get_group()

note("Only ranks 4, 1 and 2 call; the others do other work meanwhile.")
note("A process that calls without being a member does not wait and gets MPI_COMM_NULL.")
newcomm = MPI.COMM_NULL
if me in [4, 1, 2]:
    newcomm = world.Create_group(everybody.Incl([4, 1, 2]), 0)
expect_parts(newcomm, [[4, 1, 2]])

# Rank 5 is not a member of these.
if me == 5:
    expect(world.Create_group(everybody.Incl([4, 1, 2]), 0) == MPI.COMM_NULL, "a group of others")
    expect(world.Create_group(MPI.GROUP_EMPTY, 0) == MPI.COMM_NULL, "the empty group")

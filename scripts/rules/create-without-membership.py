# MPI_Comm_create: a process that passes a group without being in it gets MPI_COMM_NULL [MPI-5.0 §7.4.2]
# commsplit: -n 5 --topo core:5
from mpi4py import MPI
from commsplit import expect, expect_parts, note, world

note("Ranks 0 and 1 are a group. Rank 2 passes that group, too, and ranks 3 and 4 pass the empty one.")
me = world.Get_rank()
pair = world.Get_group().Incl([0, 1])
newcomm = world.Create(pair if me < 3 else MPI.GROUP_EMPTY)
expect_parts(newcomm, [[0, 1]])
expect((newcomm == MPI.COMM_NULL) == (me > 1), "three times MPI_COMM_NULL")

note("All ranks may pass the empty group: then no rank gets a communicator.")
expect(world.Create(MPI.GROUP_EMPTY) == MPI.COMM_NULL, "MPI_COMM_NULL everywhere")

# Figure 6.2: MPI_Comm_split on an intercommunicator: a new one for each color of both sides [MPI-2.2 §6.4.2]
# commsplit: -n 8 --topo core:8 --std 2.2
from mpi4py import MPI
from commsplit import expect, expect_parts, note, world

# The text refers to the figure without showing it, so the colors and keys here are chosen.
note("Ranks 0-3 face ranks 4-7. Each passes a color and a key; the key orders its own side only.")
on_left = world.Get_rank() < 4
side = world.Split(0 if on_left else 1, 0)
comm = side.Create_intercomm(0, world, 4 if on_left else 0, 0)

color, key = [(0, 1), (0, 0), (1, 0), (2, 0), (0, 0), (1, 5), (1, 4), (3, 0)][world.Get_rank()]
newcomm = comm.Split(color, key)

note("Color 0: ranks 1 and 0 with rank 4. Color 1: rank 2 with ranks 6 and 5. Colors 2 and 3 have one side only.")
expect_parts(newcomm, [([1, 0], [4]), ([2], [6, 5])])
expect((newcomm == MPI.COMM_NULL) == (world.Get_rank() in [3, 7]), "a color of one side gives MPI_COMM_NULL")

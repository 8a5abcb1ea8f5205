# The color MPI_UNDEFINED gives MPI_COMM_NULL [MPI-5.0 §7.4.2]
# commsplit: -n 5 --topo core:5
from mpi4py import MPI
from commsplit import expect, expect_parts, note, world

note("Ranks that pass MPI_UNDEFINED take part in the call, but get no communicator.")
me = world.Get_rank()
team = world.Split(MPI.UNDEFINED if me in [1, 4] else 0, me)
expect_parts(team, [[0, 2, 3]])
expect((team == MPI.COMM_NULL) == (me in [1, 4]), "ranks 1 and 4 hold MPI_COMM_NULL")

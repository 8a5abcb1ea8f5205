# MPI_Comm_split_type: the same split_type on all processes, or MPI_UNDEFINED [MPI-5.0 §7.4.2]
# commsplit: -n 5 --topo core:5
from mpi4py import MPI
from commsplit import expect, expect_parts, note, world

note("Rank 3 supplies MPI_UNDEFINED and gets MPI_COMM_NULL; the keys may differ between the others.")
me = world.Get_rank()
mates = world.Split_type(MPI.UNDEFINED if me == 3 else MPI.COMM_TYPE_SHARED, -me)
expect_parts(mates, [[4, 2, 1, 0]])
expect((mates == MPI.COMM_NULL) == (me == 3), "only rank 3 has nothing")

note("Equal keys are a tie; ties go by the rank in the old group.")
expect_parts(world.Split_type(MPI.COMM_TYPE_SHARED, [1, 0, 1, 0, 0][me]), [[1, 3, 4, 0, 2]])

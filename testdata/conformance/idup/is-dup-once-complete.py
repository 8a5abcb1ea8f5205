# MPI_Comm_idup: once the request is complete, newcomm is what MPI_Comm_dup gives [MPI-5.0 §7.4.2]
# commsplit: -n 4 --topo core:4
from mpi4py import MPI
from commsplit import expect, expect_parts

world = MPI.COMM_WORLD
me = world.Get_rank()
reverse = world.Split(0, -me)
copy, request = reverse.Idup()
request.Wait()
expect_parts(copy, [[3, 2, 1, 0]])
expect(MPI.Comm.Compare(reverse, copy) == MPI.CONGRUENT, "the same group in a new context")
expect(copy.allgather(me) == [3, 2, 1, 0], "it communicates")

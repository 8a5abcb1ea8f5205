# MPI_Comm_dup: the duplicate stays valid when the original is freed [MPI-5.0 §7.4.3]
# commsplit: -n 4 --topo core:4
from mpi4py import MPI
from commsplit import expect, expect_parts

world = MPI.COMM_WORLD
me = world.Get_rank()
part = world.Split(me % 2, 0)
copy = part.Dup()
part.Free()
expect(part == MPI.COMM_NULL, "the handle of the original is null")
expect_parts(copy, [[0, 2], [1, 3]])
expect(copy.allgather(me) == [me % 2, me % 2 + 2], "the duplicate still communicates")

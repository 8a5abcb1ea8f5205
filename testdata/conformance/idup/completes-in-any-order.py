# MPI_Comm_idup: several may be pending, and each process completes them in its own order [MPI-5.0 §6.12]
# commsplit: -n 4 --topo core:4
from mpi4py import MPI
from commsplit import expect, expect_parts

world = MPI.COMM_WORLD
me = world.Get_rank()
half = world.Split(me // 2, me)
a, first = world.Idup()
b, second = half.Idup()
if me % 2 == 0:
    first.Wait()
    second.Wait()
else:
    second.Wait()
    first.Wait()
expect_parts(a, [[0, 1, 2, 3]])
expect_parts(b, [[0, 1], [2, 3]])
c, third = world.Idup()
d, fourth = world.Idup()
MPI.Request.Waitall([fourth, third])
expect_parts(c, [[0, 1, 2, 3]])
expect(MPI.Comm.Compare(c, d) == MPI.CONGRUENT, "two contexts")

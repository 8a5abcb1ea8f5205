# MPI_Comm_idup: is nonblocking: other collective calls may come before its completion [MPI-5.0 §6.12]
# commsplit: -n 4 --topo core:4
from mpi4py import MPI
from commsplit import expect, expect_parts

world = MPI.COMM_WORLD
me = world.Get_rank()
copy, request = world.Idup()
expect(world.allreduce(1) == 4, "a reduction on the same communicator")
half = world.Split(me % 2, me)
request.Wait()
expect_parts(copy, [[0, 1, 2, 3]])
expect_parts(half, [[0, 2], [1, 3]])

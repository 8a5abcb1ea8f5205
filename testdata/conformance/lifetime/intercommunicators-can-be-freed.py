# MPI_Comm_free: applies to intercommunicators; the local communicators stay [MPI-5.0 §7.4.3]
# commsplit: -n 4 --topo core:4
from mpi4py import MPI
from commsplit import expect, expect_parts

world = MPI.COMM_WORLD
me = world.Get_rank()
half = world.Split(me % 2, me)  # evens and odds
inter = half.Create_intercomm(0, world, 1 - me % 2)
inter.Free()
expect(inter == MPI.COMM_NULL, "the handle is null")
expect_parts(half, [[0, 2], [1, 3]])

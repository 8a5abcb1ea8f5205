# MPI_Comm_idup: applies to intercommunicators, too [MPI-5.0 §7.4.2]
# commsplit: -n 6 --topo core:6
from mpi4py import MPI
from commsplit import expect, expect_parts

world = MPI.COMM_WORLD
me = world.Get_rank()
half = world.Split(me % 2, me)  # evens and odds
inter = half.Create_intercomm(0, world, 1 - me % 2)
copy, request = inter.Idup()
request.Wait()
expect_parts(copy, [([0, 2, 4], [1, 3, 5])])
expect(MPI.Comm.Compare(inter, copy) == MPI.CONGRUENT, "congruent")

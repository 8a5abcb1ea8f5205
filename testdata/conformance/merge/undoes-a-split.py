# MPI_Intercomm_merge: split, intercommunicator and merge lead back to all processes [MPI-5.0 §7.6.2]
# commsplit: -n 6 --topo core:6
from mpi4py import MPI
from commsplit import expect, expect_parts

world = MPI.COMM_WORLD
me = world.Get_rank()
low = world.Split(0 if me < 3 else 1, me)
inter = low.Create_intercomm(0, world, 3 if me < 3 else 0)
both = inter.Merge(me >= 3)
expect_parts(both, [[0, 1, 2, 3, 4, 5]])
expect(MPI.Comm.Compare(world, both) == MPI.CONGRUENT, "the same group in another context")

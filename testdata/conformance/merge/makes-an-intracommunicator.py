# MPI_Intercomm_merge: newintracomm has the union of both groups, in a new context [MPI-5.0 §7.6.2]
# commsplit: -n 4 --topo core:4
from mpi4py import MPI
from commsplit import expect

world = MPI.COMM_WORLD
me = world.Get_rank()
half = world.Split(me % 2, me)  # evens and odds
inter = half.Create_intercomm(0, world, 1 - me % 2)
both = inter.Merge(me % 2 == 1)
expect(both.Is_intra(), "an intracommunicator")
expect(both.Get_size() == inter.Get_size() + inter.Get_remote_size(), "all of both")
expect(MPI.Comm.Compare(both, world) == MPI.SIMILAR, "the processes of the world in another order")
expect(both.allgather(me) == [0, 2, 1, 3], "it communicates")

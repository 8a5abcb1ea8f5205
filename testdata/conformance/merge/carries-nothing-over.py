# MPI_Intercomm_merge: neither attributes nor name of the intercommunicator propagate [MPI-5.0 §7.7]
# commsplit: -n 4 --topo core:4
from mpi4py import MPI
from commsplit import expect

world = MPI.COMM_WORLD
me = world.Get_rank()
half = world.Split(me % 2, me)  # evens and odds
inter = half.Create_intercomm(0, world, 1 - me % 2)
key = MPI.Comm.Create_keyval(copy_fn=True)
inter.Set_attr(key, 1)
inter.Set_name("both sides")
both = inter.Merge(me % 2 == 1)
expect(both.Get_attr(key) == None, "no attribute")
expect(both.Get_name() == "", "no name")

# MPI_Comm_set_name: is local; processes need not give the same name [MPI-5.0 §7.8]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
from commsplit import expect

world = MPI.COMM_WORLD
me = world.Get_rank()
part = world.Split(0, me)
part.Set_name("seen by %d" % me)
part.Barrier()
expect(part.Get_name() == "seen by %d" % me, "its own")

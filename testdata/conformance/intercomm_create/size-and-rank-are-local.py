# MPI_Comm_remote_size: the size of the other side; MPI_Comm_size and MPI_Comm_rank are local [MPI-5.0 §7.6.1]
# commsplit: -n 5 --topo core:5
from mpi4py import MPI
from commsplit import expect

world = MPI.COMM_WORLD
me = world.Get_rank()
half = world.Split(me % 2, me)  # evens and odds
inter = half.Create_intercomm(0, world, 1 - me % 2)
expect(inter.Get_size() == (3 if me % 2 == 0 else 2), "0 2 4 and 1 3")
expect(inter.Get_remote_size() == (2 if me % 2 == 0 else 3), "the other side")
expect(inter.Get_rank() == me // 2, "the rank in the own side")
expect(inter.remote_size == inter.Get_remote_size(), "also as an attribute")

# MPI_Comm_create: if either group names nobody, MPI_COMM_NULL is returned on both sides [MPI-5.0 §7.4.2]
# commsplit: -n 6 --topo core:6
from mpi4py import MPI
from commsplit import expect

world = MPI.COMM_WORLD
me = world.Get_rank()
half = world.Split(me % 2, me)  # evens and odds
inter = half.Create_intercomm(0, world, 1 - me % 2)
group = MPI.GROUP_EMPTY if me % 2 == 1 else inter.Get_group()
expect(inter.Create(group) == MPI.COMM_NULL, "no communicator with an empty side")

# MPI_Comm_remote_group: MPI_Comm_group gives the local group, MPI_Comm_remote_group the other one [MPI-5.0 §7.6.1]
# commsplit: -n 6 --topo core:6
from mpi4py import MPI
from commsplit import expect

world = MPI.COMM_WORLD
me = world.Get_rank()
half = world.Split(me % 2, me)  # evens and odds
inter = half.Create_intercomm(0, world, 1 - me % 2)
everybody = world.Get_group()
local = MPI.Group.Translate_ranks(inter.Get_group(), [0, 1, 2], everybody)
remote = MPI.Group.Translate_ranks(inter.Get_remote_group(), [0, 1, 2], everybody)
evens = [0, 2, 4]
odds = [1, 3, 5]
expect(list(local) == (evens if me % 2 == 0 else odds), "the own side")
expect(list(remote) == (odds if me % 2 == 0 else evens), "the other side")
expect(inter.Get_remote_group().Get_rank() == MPI.UNDEFINED, "nobody is in both")

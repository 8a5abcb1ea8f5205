# MPI_Intercomm_create: in communication, destination and source are ranks of the remote group [MPI-5.0 §7.6]
# commsplit: -n 4 --topo core:4
from mpi4py import MPI
from commsplit import expect

world = MPI.COMM_WORLD
me = world.Get_rank()
half = world.Split(me % 2, me)  # evens and odds
inter = half.Create_intercomm(0, world, 1 - me % 2)
expect(inter.Is_inter() and not inter.Is_intra(), "an intercommunicator")
rank = inter.Get_rank()
request = inter.isend(me, dest=rank, tag=0)
expect(inter.recv(source=rank, tag=0) == (me + 1 if me % 2 == 0 else me - 1), "0 meets 1, 2 meets 3")
request.wait()

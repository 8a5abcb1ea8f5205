# MPI_Intercomm_create: peer_comm and remote_leader are significant only at the local leaders [MPI-5.0 §7.6.2]
# commsplit: -n 4 --topo core:4
from mpi4py import MPI
from commsplit import expect_parts

world = MPI.COMM_WORLD
me = world.Get_rank()
half = world.Split(me % 2, me)
leader = half.Get_rank() == 0
peer = world.Split(0 if leader else MPI.UNDEFINED, me)  # a communicator of the two leaders
inter = half.Create_intercomm(0, peer, 1 - me if leader else -99)
expect_parts(inter, [([0, 2], [1, 3])])

# MPI_Intercomm_create: each group has any one leader; remote_leader is its rank in peer_comm [MPI-5.0 §7.6.2]
# commsplit: -n 6 --topo core:6
from mpi4py import MPI
from commsplit import expect_parts

world = MPI.COMM_WORLD
me = world.Get_rank()
half = world.Split(me % 2, me)
peer = world.Split(0, -me)  # rank 5-k in the peer is rank k in the world
# Leaders are 4 (local rank 2 of the evens) and 3 (local rank 1 of the odds).
inter = half.Create_intercomm(2 if me % 2 == 0 else 1, peer, 2 if me % 2 == 0 else 1, 0)
expect_parts(inter, [([0, 2, 4], [1, 3, 5])])

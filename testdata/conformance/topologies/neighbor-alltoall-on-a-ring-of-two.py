# MPI_Neighbor_alltoall: what is sent up arrives from below, also where both neighbors are one process [MPI-5.0 §8.6]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
from commsplit import expect

world = MPI.COMM_WORLD
me = world.Get_rank()
ring = world.Create_cart([2], periods=[True])
got = ring.neighbor_alltoall(["down from %d" % me, "up from %d" % me])
other = 1 - me
expect(got == ["up from %d" % other, "down from %d" % other])

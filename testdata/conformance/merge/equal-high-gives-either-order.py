# MPI_Intercomm_merge: when both groups pass the same high, the order of the union is arbitrary [MPI-5.0 §7.6.2]
# commsplit: -n 6 --topo core:6
from mpi4py import MPI
from commsplit import expect

world = MPI.COMM_WORLD
me = world.Get_rank()
half = world.Split(me % 2, me)  # evens and odds
inter = half.Create_intercomm(0, world, 1 - me % 2)
for high in [False, True]:
    order = inter.Merge(high).allgather(me)
    expect(order in [[0, 2, 4, 1, 3, 5], [1, 3, 5, 0, 2, 4]], "one group, then the other")
    expect(world.allgather(order) == [order] * 6, "the same on all processes")

# MPI_Neighbor_allgather: the dimensions come one after the other [MPI-5.0 §8.6.1]
# commsplit: -n 6 --topo core:6
from mpi4py import MPI
from commsplit import expect

world = MPI.COMM_WORLD
me = world.Get_rank()
# Row-major in 2 x 3, both rings: rank 4 is (1, 1); below and above it 1 and 1, left and right 3 and 5.
torus = world.Create_cart([2, 3], periods=[True, True])
got = torus.neighbor_allgather(me)
if me == 4:
    expect(got == [1, 1, 3, 5])
if me == 0:
    expect(got == [3, 3, 2, 1])

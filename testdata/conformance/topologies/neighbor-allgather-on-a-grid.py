# MPI_Neighbor_allgather: on a grid, of each dimension first the one below, then the one above [MPI-5.0 §8.6.1]
# commsplit: -n 3 --topo core:3
from mpi4py import MPI
from commsplit import expect

world = MPI.COMM_WORLD
me = world.Get_rank()
line = world.Create_cart([3], periods=[False])
got = line.neighbor_allgather(me * 10)
expect(got == [[None, 10], [0, 20], [10, None]][me], "nothing comes from beyond the border")

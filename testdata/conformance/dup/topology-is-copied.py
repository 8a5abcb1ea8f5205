# MPI_Comm_dup: newcomm has the same virtual topology [MPI-5.0 §7.4.2]
# commsplit: -n 6 --topo core:6
from mpi4py import MPI
from commsplit import expect

world = MPI.COMM_WORLD
me = world.Get_rank()
grid = world.Create_cart([2, 3], [True, False])
copy = grid.Dup()
expect(copy.Get_topology() == MPI.CART, "a Cartesian topology")
dims, periods, coords = copy.Get_topo()
expect(list(dims) == [2, 3] and list(coords) == [me // 3, me % 3], "the same grid and place")
expect([bool(p) for p in periods] == [True, False], "the same periods")

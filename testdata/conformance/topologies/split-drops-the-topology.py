# MPI_Topo_test: constructors other than MPI_Comm_dup and its variants drop the topology [MPI-5.0 §7.4.2]
# commsplit: -n 4 --topo core:4
from mpi4py import MPI
from commsplit import expect

world = MPI.COMM_WORLD
me = world.Get_rank()
grid = world.Create_cart([2, 2])
expect(grid.Split(0, me).Get_topology() == MPI.UNDEFINED, "MPI_Comm_split")
expect(grid.Create(grid.Get_group()).Get_topology() == MPI.UNDEFINED, "MPI_Comm_create")
expect(grid.Dup().Get_topology() == MPI.CART, "MPI_Comm_dup keeps it")

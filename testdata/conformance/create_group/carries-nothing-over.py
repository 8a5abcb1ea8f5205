# MPI_Comm_create_group: no cached information, topology or name propagates [MPI-5.0 §7.4.2]
# commsplit: -n 4 --topo core:4
from mpi4py import MPI
from commsplit import expect

world = MPI.COMM_WORLD
grid = world.Create_cart([2, 2])
key = MPI.Comm.Create_keyval(copy_fn=True)
grid.Set_attr(key, 1)
grid.Set_name("grid")
comm = grid.Create_group(grid.Get_group())
expect(comm.Get_attr(key) == None, "no attribute")
expect(comm.Get_topology() == MPI.UNDEFINED, "no topology")
expect(comm.Get_name() == "", "no name")

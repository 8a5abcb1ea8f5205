# MPI_Intercomm_create: neither attributes nor topology nor name of local_comm propagate [MPI-5.0 §7.7]
# commsplit: -n 4 --topo core:4
from mpi4py import MPI
from commsplit import expect

world = MPI.COMM_WORLD
me = world.Get_rank()
half = world.Split(me % 2, me)
grid = half.Create_cart([2])
key = MPI.Comm.Create_keyval(copy_fn=True)
grid.Set_attr(key, 1)
grid.Set_name("grid")
inter = grid.Create_intercomm(0, world, 1 - me % 2, 0)
expect(inter.Get_attr(key) == None, "no attribute")
expect(inter.Get_topology() == MPI.UNDEFINED, "no topology")
expect(inter.Get_name() == "", "no name")

# MPI_Comm_set_attr: caches a value that MPI_Comm_get_attr finds until it is deleted [MPI-5.0 §7.7.2]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
from commsplit import expect

world = MPI.COMM_WORLD
me = world.Get_rank()
key = MPI.Comm.Create_keyval()
other = MPI.Comm.Create_keyval()
expect(key != other, "each key is unique")
expect(world.Get_attr(key) == None, "not set yet")
world.Set_attr(key, [me, "value"])
expect(world.Get_attr(key) == [me, "value"], "each process has its own value")
expect(world.Get_attr(other) == None, "another key")
world.Delete_attr(key)
expect(world.Get_attr(key) == None, "deleted")

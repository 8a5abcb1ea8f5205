# MPI_Comm_get_attr: an attribute is cached with one communicator, not with congruent ones [MPI-5.0 §7.7.2]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
from commsplit import expect

world = MPI.COMM_WORLD
key = MPI.Comm.Create_keyval()
a = world.Dup()
b = world.Dup()
a.Set_attr(key, "a")
expect(a.Get_attr(key) == "a" and b.Get_attr(key) == None, "only a has it")
b.Set_attr(key, "b")
expect(a.Get_attr(key) == "a" and b.Get_attr(key) == "b", "each has its own")

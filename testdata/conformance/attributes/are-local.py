# MPI_Comm_set_attr: is local: a process may set an attribute that others do not have [MPI-5.0 §7.7.2]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
from commsplit import expect

world = MPI.COMM_WORLD
me = world.Get_rank()
key = MPI.Comm.Create_keyval()
if me == 0:
    world.Set_attr(key, "here")
world.Barrier()
expect(world.Get_attr(key) == ("here" if me == 0 else None), "the others have none")

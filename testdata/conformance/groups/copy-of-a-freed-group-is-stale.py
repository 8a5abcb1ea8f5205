# MPI_Group_free: a copy of the handle stands for nothing afterwards [MPI-5.0 §7.3.3]
# commsplit: -n 2 --topo core:2
# ends: 3 the handle is a copy
from mpi4py import MPI

world = MPI.COMM_WORLD
me = world.Get_rank()
group = world.Get_group()
copy = MPI.Group(group)
group.Free()
copy.Get_size()

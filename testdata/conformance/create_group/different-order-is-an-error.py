# MPI_Comm_create_group: all must give the same members with the same ordering, MPI_ERR_GROUP [MPI-5.0 §7.4.2]
# commsplit: -n 4 --topo core:4
# ends: 3 MPI_ERR_GROUP
from mpi4py import MPI

world = MPI.COMM_WORLD
me = world.Get_rank()
everybody = world.Get_group()
group = everybody.Incl([0, 1, 2, 3] if me < 2 else [3, 2, 1, 0])
world.Create_group(group)

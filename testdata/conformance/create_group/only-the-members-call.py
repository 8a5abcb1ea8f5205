# MPI_Comm_create_group: must be called by the processes of the group, and only by them [MPI-5.0 §7.4.2]
# commsplit: -n 6 --topo core:6
from mpi4py import MPI
from commsplit import expect_parts

world = MPI.COMM_WORLD
me = world.Get_rank()
comm = MPI.COMM_NULL
if me in [1, 4, 5]:
    comm = world.Create_group(world.Get_group().Incl([5, 1, 4]), 3)
expect_parts(comm, [[5, 1, 4]])

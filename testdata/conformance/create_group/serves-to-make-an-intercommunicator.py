# MPI_Comm_create_group: its result may be the local communicator of MPI_Intercomm_create [MPI-5.0 §7.4.2]
# commsplit: -n 6 --topo core:6
from mpi4py import MPI
from commsplit import expect_parts

world = MPI.COMM_WORLD
me = world.Get_rank()
inter = MPI.COMM_NULL
if me < 5:  # rank 5 takes no part at all
    side = [3, 0] if me in [0, 3] else [1, 2, 4]
    local = world.Create_group(world.Get_group().Incl(side), 1)
    inter = local.Create_intercomm(0, world, 1 if me in [0, 3] else 3, 2)
expect_parts(inter, [([3, 0], [1, 2, 4])])

# MPI_Comm_create_group: requires that comm is an intracommunicator, MPI_ERR_COMM [MPI-5.0 §7.4.2]
# commsplit: -n 4 --topo core:4
from mpi4py import MPI
from commsplit import expect_error

world = MPI.COMM_WORLD
me = world.Get_rank()
half = world.Split(me % 2, me)  # evens and odds
inter = half.Create_intercomm(0, world, 1 - me % 2)
expect_error(MPI.ERR_COMM, inter.Create_group, inter.Get_group())

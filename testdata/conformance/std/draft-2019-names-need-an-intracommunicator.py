# MPI_Get_hwsubdomain_names: comm must be an intracommunicator, MPI_ERR_COMM [proposal of 2019]
# commsplit: -n 4 --topo core:4 --std draft2019
from mpi4py import MPI
from commsplit import expect_error

world = MPI.COMM_WORLD
me = world.Get_rank()
half = world.Split(me % 2, me)  # evens and odds
inter = half.Create_intercomm(0, world, 1 - me % 2)
expect_error(MPI.ERR_COMM, MPI.Get_hwsubdomain_names, inter, MPI.Info.Create())

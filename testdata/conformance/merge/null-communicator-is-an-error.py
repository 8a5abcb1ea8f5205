# MPI_Intercomm_merge: MPI_COMM_NULL is not a valid communicator, MPI_ERR_COMM [MPI-5.0 §7.6.2]
# commsplit: -n 4 --topo core:4
from mpi4py import MPI
from commsplit import expect_error

world = MPI.COMM_WORLD
me = world.Get_rank()
half = world.Split(me % 2, me)  # evens and odds
inter = half.Create_intercomm(0, world, 1 - me % 2)
nobody = inter.Split(MPI.UNDEFINED, 0)
expect_error(MPI.ERR_COMM, nobody.Merge, False)

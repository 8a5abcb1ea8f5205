# MPI_Intercomm_merge: within each group the order is that of the intercommunicator [MPI-5.0 §7.6.2]
# commsplit: -n 6 --topo core:6
from mpi4py import MPI
from commsplit import expect_parts

world = MPI.COMM_WORLD
me = world.Get_rank()
half = world.Split(me % 2, -me)
inter = half.Create_intercomm(0, world, 5 if me % 2 == 0 else 4)
expect_parts(inter.Merge(me % 2 == 0), [[5, 3, 1, 4, 2, 0]])

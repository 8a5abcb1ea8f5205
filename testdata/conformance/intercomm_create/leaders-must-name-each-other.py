# MPI_Intercomm_create: each leader names the other one; here rank 3 is named, but rank 2 leads [MPI-5.0 §7.6.2]
# commsplit: -n 4 --topo core:4
# ends: 4 rank 2 leads there
from mpi4py import MPI

world = MPI.COMM_WORLD
me = world.Get_rank()
half = world.Split(me // 2, me)
half.Create_intercomm(0, world, 3 if me < 2 else 0, 1)

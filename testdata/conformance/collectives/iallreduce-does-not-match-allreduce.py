# MPI_Iallreduce: a nonblocking collective call does not match a blocking one [MPI-5.0 §6.12]
# commsplit: -n 2 --topo core:2
# ends: 4 does not match a blocking one
from mpi4py import MPI

world = MPI.COMM_WORLD
me = world.Get_rank()
if me == 0:
    world.allreduce(1)
else:
    world.iallreduce(1).wait()

# MPI_Comm_split: all processes of a communicator must call it there, not on a duplicate [MPI-5.0 §6.1]
# commsplit: -n 4 --topo core:4
# ends: 4 on one communicator: ranks 0-2 pass world, rank 3 copy
from mpi4py import MPI

world = MPI.COMM_WORLD
copy = world.Dup()
(copy if world.Get_rank() == 3 else world).Split(0, 0)

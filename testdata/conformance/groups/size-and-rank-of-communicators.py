# MPI_Comm_rank: the rank in the group of a communicator, from 0 to MPI_Comm_size - 1 [MPI-5.0 §7.4.1]
# commsplit: -n 4 --topo core:4
from mpi4py import MPI
from commsplit import expect

world = MPI.COMM_WORLD
me = world.Get_rank()
half = world.Split(me % 2, -me)
expect(half.Get_size() == 2 and half.Get_rank() == 1 - me // 2, "2 0 and 3 1")
expect(MPI.COMM_SELF.Get_size() == 1 and MPI.COMM_SELF.Get_rank() == 0, "MPI_COMM_SELF holds one process")

# MPI_Comm_create: with MPI_GROUP_EMPTY everywhere, everybody gets MPI_COMM_NULL [MPI-5.0 §7.4.2]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
from commsplit import expect

world = MPI.COMM_WORLD
expect(world.Create(MPI.GROUP_EMPTY) == MPI.COMM_NULL, "no communicator")

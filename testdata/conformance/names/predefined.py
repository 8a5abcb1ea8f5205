# MPI_Comm_get_name: MPI_COMM_WORLD and MPI_COMM_SELF have the names of their constants [MPI-5.0 §7.8]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
from commsplit import expect

world = MPI.COMM_WORLD
expect(world.Get_name() == "MPI_COMM_WORLD", "the world")
expect(MPI.COMM_SELF.Get_name() == "MPI_COMM_SELF", "the process itself")

# MPI_Comm_set_name: predefined communicators can be renamed, too [MPI-5.0 §7.8]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
from commsplit import expect

world = MPI.COMM_WORLD
world.Set_name("everybody")
expect(world.Get_name() == "everybody", "the new name")

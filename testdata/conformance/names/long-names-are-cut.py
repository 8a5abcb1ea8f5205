# MPI_Comm_set_name: a name of more than MPI_MAX_OBJECT_NAME-1 characters is truncated [MPI-5.0 §7.8]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
from commsplit import expect

world = MPI.COMM_WORLD
world.Set_name("x" * 300)
expect(world.Get_name() == "x" * (MPI.MAX_OBJECT_NAME - 1))

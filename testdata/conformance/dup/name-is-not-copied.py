# MPI_Comm_dup: the name does not propagate [MPI-5.0 §7.8]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
from commsplit import expect

world = MPI.COMM_WORLD
me = world.Get_rank()
part = world.Split(0, me)
part.Set_name("solver")
expect(part.Dup().Get_name() == "", "a new communicator has no name")

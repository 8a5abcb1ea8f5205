# MPI_Comm_get_attr: MPI_TAG_UB is at least 32767, equal on all processes, and does not change [MPI-5.0 §9.1.2]
# commsplit: -n 3 --topo core:3
from mpi4py import MPI
from commsplit import expect

world = MPI.COMM_WORLD
bound = world.Get_attr(MPI.TAG_UB)
expect(bound >= 32767, "at least 32767")
expect(world.allgather(bound) == [bound, bound, bound], "the same everywhere")
expect(world.Get_attr(MPI.TAG_UB) == bound, "the same again")

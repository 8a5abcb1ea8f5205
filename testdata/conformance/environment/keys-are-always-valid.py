# MPI_Comm_get_attr: the predefined keys are valid on any communicator [MPI-5.0 §9.1.2]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
from commsplit import expect

world = MPI.COMM_WORLD
me = world.Get_rank()
part = world.Split(0, me)
for key in [MPI.TAG_UB, MPI.IO, MPI.WTIME_IS_GLOBAL, MPI.UNIVERSE_SIZE, MPI.APPNUM, MPI.LASTUSEDCODE]:
    part.Get_attr(key)  # found or not: no error
expect(world.Get_attr(MPI.TAG_UB) != None, "the world has MPI_TAG_UB")

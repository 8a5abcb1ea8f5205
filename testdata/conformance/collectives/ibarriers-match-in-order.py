# MPI_Ibarrier: calls of all processes match in their order, and may complete in another one [MPI-5.0 §6.12]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
from commsplit import expect

world = MPI.COMM_WORLD
me = world.Get_rank()
first = world.Ibarrier()
copy, second = world.Idup()
third = world.Ibarrier()
MPI.Request.Waitall([third, second, first])
expect(copy.allgather(me) == [0, 1])
copy.Free()

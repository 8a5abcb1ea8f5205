# MPI_Comm_create: works on any communicator, with groups made from its ranks [MPI-5.0 §7.4.2]
# commsplit: -n 6 --topo core:6
from mpi4py import MPI
from commsplit import expect_parts

world = MPI.COMM_WORLD
me = world.Get_rank()
reverse = world.Split(0, -me)
comm = reverse.Create(reverse.Get_group().Incl([0, 1]))
expect_parts(comm, [[5, 4]])
half = world.Split(me % 2, me)
expect_parts(half.Create(half.Get_group().Excl([0])), [[2, 4], [3, 5]])

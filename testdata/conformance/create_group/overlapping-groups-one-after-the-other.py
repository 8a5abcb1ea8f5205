# MPI_Comm_create_group: a process in several groups makes them one after the other [MPI-5.0 §7.4.2]
# commsplit: -n 4 --topo core:4
from mpi4py import MPI
from commsplit import expect_parts

world = MPI.COMM_WORLD
me = world.Get_rank()
everybody = world.Get_group()
first = MPI.COMM_NULL
second = MPI.COMM_NULL
if me in [0, 2]:
    first = world.Create_group(everybody.Incl([0, 2]), 11)
if me in [2, 3]:
    second = world.Create_group(everybody.Incl([3, 2]), 12)
expect_parts(first, [[0, 2]])
expect_parts(second, [[3, 2]])

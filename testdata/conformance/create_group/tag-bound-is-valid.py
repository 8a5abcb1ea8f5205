# MPI_Comm_create_group: tags range from 0 to MPI_TAG_UB, inclusive [MPI-5.0 §9.1.2]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
from commsplit import expect_error, expect_parts

world = MPI.COMM_WORLD
bound = world.Get_attr(MPI.TAG_UB)
expect_parts(world.Create_group(world.Get_group(), bound), [[0, 1]])
if bound < 2147483647:
    expect_error(MPI.ERR_TAG, world.Create_group, world.Get_group(), bound + 1)

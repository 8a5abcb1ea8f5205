# MPI_Group_translate_ranks: ranks must be valid in the first group, MPI_ERR_RANK [MPI-5.0 §7.3.1]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
from commsplit import expect_error

world = MPI.COMM_WORLD
everybody = world.Get_group()
expect_error(MPI.ERR_RANK, MPI.Group.Translate_ranks, everybody, [2], everybody)

# MPI_Group_incl: the ranks must be distinct, MPI_ERR_RANK [MPI-5.0 §7.3.2]
# commsplit: -n 3 --topo core:3
from mpi4py import MPI
from commsplit import expect_error

world = MPI.COMM_WORLD
expect_error(MPI.ERR_RANK, world.Get_group().Incl, [1, 1])

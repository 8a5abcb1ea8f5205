# MPI_Group_range_incl: the computed ranks must be valid and distinct, MPI_ERR_RANK [MPI-5.0 §7.3.2]
# commsplit: -n 3 --topo core:3
from mpi4py import MPI
from commsplit import expect_error

world = MPI.COMM_WORLD
everybody = world.Get_group()
expect_error(MPI.ERR_RANK, everybody.Range_incl, [(0, 3, 1)])
expect_error(MPI.ERR_RANK, everybody.Range_incl, [(0, 1, 1), (1, 2, 1)])
expect_error(MPI.ERR_RANK, everybody.Range_excl, [(1, 0, 1)])

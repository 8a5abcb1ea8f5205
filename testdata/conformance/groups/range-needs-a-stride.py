# MPI_Group_range_incl: stride must not be zero, MPI_ERR_ARG [MPI-5.0 §7.3.2]
# commsplit: -n 3 --topo core:3
from mpi4py import MPI
from commsplit import expect_error

world = MPI.COMM_WORLD
everybody = world.Get_group()
expect_error(MPI.ERR_ARG, everybody.Range_incl, [(0, 2, 0)])
expect_error(MPI.ERR_ARG, everybody.Range_excl, [(0, 2, 0)])

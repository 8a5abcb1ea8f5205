# MPI_Comm_split: color must be nonnegative or MPI_UNDEFINED, MPI_ERR_ARG [MPI-5.0 §7.4.2]
# commsplit: -n 4 --topo core:4
from mpi4py import MPI
from commsplit import expect, expect_error

world = MPI.COMM_WORLD
expect(MPI.UNDEFINED < 0, "MPI_UNDEFINED is not a color")
expect_error(MPI.ERR_ARG, world.Split, -1, 0)

# MPI_Group_excl: each element of ranks must be a valid rank, and all distinct, MPI_ERR_RANK [MPI-5.0 §7.3.2]
# commsplit: -n 3 --topo core:3
from mpi4py import MPI
from commsplit import expect_error

world = MPI.COMM_WORLD
everybody = world.Get_group()
expect_error(MPI.ERR_RANK, everybody.Excl, [3])
expect_error(MPI.ERR_RANK, everybody.Excl, [1, 1])

# MPI_Comm_split_type: all processes must provide the same split_type, MPI_ERR_ARG [MPI-5.0 §7.4.2]
# commsplit: -n 4 --topo core:4
from mpi4py import MPI
from commsplit import expect_error

world = MPI.COMM_WORLD
me = world.Get_rank()
kind = MPI.COMM_TYPE_SHARED if me < 2 else MPI.COMM_TYPE_HW_UNGUIDED
expect_error(MPI.ERR_ARG, world.Split_type, kind)

# MPI_Dims_create: an entry that is negative is erroneous, MPI_ERR_DIMS [MPI-5.0 §8.5.2]
# commsplit: -n 1 --topo core:1
from mpi4py import MPI
from commsplit import expect_error

expect_error(MPI.ERR_DIMS, MPI.Compute_dims, 6, [-1, 0])

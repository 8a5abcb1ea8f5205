# MPI_Dims_create: only entries that are 0 are modified (the examples of the standard) [MPI-5.0 §8.5.2]
# commsplit: -n 1 --topo core:1
from mpi4py import MPI
from commsplit import expect, expect_error

expect(list(MPI.Compute_dims(6, [0, 3, 0])) == [2, 3, 1], "6 = 2 * 3 * 1")
expect_error(MPI.ERR_DIMS, MPI.Compute_dims, 7, [0, 3, 0])

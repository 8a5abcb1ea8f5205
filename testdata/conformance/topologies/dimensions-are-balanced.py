# MPI_Dims_create: the dimensions are as close to each other as possible, in non-increasing order [MPI-5.0 §8.5.2]
# commsplit: -n 1 --topo core:1
from mpi4py import MPI
from commsplit import expect

expect(list(MPI.Compute_dims(6, [0, 0])) == [3, 2], "6 = 3 * 2")
expect(list(MPI.Compute_dims(7, [0, 0])) == [7, 1], "7 is prime")
expect(list(MPI.Compute_dims(12, [0, 0, 0])) == [3, 2, 2], "12 = 3 * 2 * 2")
expect(list(MPI.Compute_dims(16, [0, 0])) == [4, 4], "16 = 4 * 4")

# MPI_Iallreduce: calls of all processes match in their order, whatever order they are completed in [MPI-5.0 §6.12]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
import numpy as np
from commsplit import expect

world = MPI.COMM_WORLD
me = world.Get_rank()
low, high, sum, product = np.array([me + 1], "i"), np.array([me + 2], "i"), np.zeros(1, "i"), np.zeros(1, "i")
first = world.Iallreduce(low, sum)
barrier = world.Ibarrier()
last = world.Iallreduce(high, product, op=MPI.PROD)
for request in [last, first] if me == 0 else [first, last]:
    request.Wait()
expect((sum[0], product[0]) == (3, 6))
barrier.Wait()

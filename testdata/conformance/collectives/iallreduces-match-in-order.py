# MPI_Iallreduce: calls of all processes match in their order, whatever order they are completed in [MPI-5.0 §6.12]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
from commsplit import expect

world = MPI.COMM_WORLD
me = world.Get_rank()
sum = world.iallreduce(me + 1)
barrier = world.Ibarrier()
product = world.iallreduce(me + 2, op=MPI.PROD)
if me == 0:
    expect((product.wait(), sum.wait()) == (6, 3))
else:
    expect((sum.wait(), product.wait()) == (3, 6))
barrier.Wait()

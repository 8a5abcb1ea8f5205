# MPI_Comm_split: newcomm is a communication space of its own, with its own ranks [MPI-5.0 §7.4.2]
# commsplit: -n 4 --topo core:4
from mpi4py import MPI
from commsplit import expect

world = MPI.COMM_WORLD
me = world.Get_rank()
half = world.Split(me % 2, -me)
# Evens: 2, 0; odds: 3, 1. Rank 0 of each half sends to rank 1 of the same half.
if half.Get_rank() == 0:
    half.send(me, dest=1, tag=0)
else:
    expect(half.recv(source=0, tag=0) == me + 2, "from the other one of the half")
expect(half.bcast(me, root=0) == me % 2 + 2, "root is a rank of the half")

# MPI_Bcast_init: what was made in one order can be started in any order, which may differ among processes [MPI-5.0 §6.13]
# commsplit: -n 3 --topo core:3
from mpi4py import MPI
import numpy as np
from commsplit import expect

world = MPI.COMM_WORLD
me = world.Get_rank()
a, b = np.zeros(1, "i"), np.zeros(1, "i")
first, second = world.Bcast_init(a, root=0), world.Allreduce_init(np.array([me + 1], "i"), b)
barrier = world.Barrier_init()
for round in range(3):
    if me == 0:
        a[0] = round
    for request in [first, second, barrier] if me == round else [barrier, second, first]:
        request.Start()
    MPI.Request.Waitall([first, second, barrier])
    expect((a[0], b[0]) == (round, 1 + 2 + 3))
for request in [first, second, barrier]:
    request.Free()

# MPI_Gatherv: the parts have counts of their own, and stand where displacements say [MPI-5.0 §6.5]
# commsplit: -n 3 --topo core:3
from mpi4py import MPI
import numpy as np
from commsplit import expect

world = MPI.COMM_WORLD
me = world.Get_rank()
got = np.full(6, -1, "i")
world.Gatherv(np.full(me, me, "i"), [got, (0, 1, 2), (0, 5, 1), MPI.INT], root=1)
expect(list(got) == ([-1, 2, 2, -1, -1, 1] if me == 1 else 6 * [-1]))
request = world.Igatherv(np.full(me, 10 * me, "i"), [got, (0, 1, 2), (0, 5, 1), MPI.INT], root=1)
request.Wait()
expect(list(got) == ([-1, 20, 20, -1, -1, 10] if me == 1 else 6 * [-1]))

# MPI_Iallreduce: on an intercommunicator each group gets what the other one's processes passed, combined [MPI-5.0 §6.12.8]
# commsplit: -n 4 --topo core:4
from mpi4py import MPI
import numpy as np
from commsplit import expect

world = MPI.COMM_WORLD
me = world.Get_rank()
side = world.Split(me == 0)
inter = side.Create_intercomm(0, world, 0 if me else 1)
got = np.zeros(1, "i")
inter.Iallreduce(np.array([me], "i"), got).Wait()
expect(got[0] == (0 if me else 1 + 2 + 3))

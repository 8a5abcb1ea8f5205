# MPI_Bcast: on an intercommunicator only the group without the root receives [MPI-5.0 §6.4]
# commsplit: -n 5 --topo core:5
from mpi4py import MPI
from commsplit import expect

world = MPI.COMM_WORLD
me = world.Get_rank()
left = me < 2
side = world.Split(0 if left else 1, me)
inter = side.Create_intercomm(0, world, 2 if left else 0)
if left:
    root = MPI.ROOT if me == 1 else MPI.PROC_NULL
else:
    root = 1
value = inter.bcast("from %d" % me, root)
expect(value == (None if left else "from 1"), "the root and its group receive nothing")

# MPI_Sendrecv: a shift along a ring does not deadlock, and regular calls meet its halves [MPI-5.0 §3.10]
# commsplit: -n 4 --topo core:4
from mpi4py import MPI
from commsplit import expect

world = MPI.COMM_WORLD
me, n = world.Get_rank(), world.Get_size()
expect(world.sendrecv(me, (me + 1) % n, source=(me - 1) % n) == (me - 1) % n)
if me == 0:
    expect(world.sendrecv(me, 1, source=1) == 1)
elif me == 1:
    expect(world.recv(source=0) == 0)
    world.send(me, 0)
expect(world.sendrecv(me, MPI.PROC_NULL, source=MPI.PROC_NULL) == None)

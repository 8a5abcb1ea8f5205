# MPI_Issend: a synchronous send is complete only when a matching receive has started [MPI-5.0 §3.4]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
from commsplit import expect

world = MPI.COMM_WORLD
me = world.Get_rank()
if me == 0:
    request = world.issend("late", 1, 3)
    world.Barrier()
    expect(not request.Test(), "nobody has started to receive")
    world.Barrier()
    request.Wait()
else:
    world.Barrier()
    world.Barrier()
    expect(world.recv(source=0, tag=3) == "late")

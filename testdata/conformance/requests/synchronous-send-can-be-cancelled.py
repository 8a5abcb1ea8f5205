# MPI_Cancel: a synchronous send that nobody receives is cancelled, and its message is gone [MPI-5.0 §3.8.4]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
from commsplit import expect

world = MPI.COMM_WORLD
me = world.Get_rank()
if me == 0:
    request = world.issend("never", 1)
    request.Cancel()
    status = MPI.Status()
    request.Wait(status)
    expect(status.Is_cancelled())
world.Barrier()
expect(not world.iprobe(source=1 - me))

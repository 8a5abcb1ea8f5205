# MPI_Request_get_status_all: the three calls about several requests leave them [MPI-5.0 §3.7.6]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
from commsplit import expect

world = MPI.COMM_WORLD
me = world.Get_rank()
requests = [world.irecv(source=1 - me, tag=k) for k in range(2)]
expect(not MPI.Request.Get_status_all(requests))
expect(MPI.Request.Get_status_any(requests) == (MPI.UNDEFINED, False))
expect(MPI.Request.Get_status_some(requests) == [])
world.Barrier()
world.send("one", 1 - me, tag=1)
while not MPI.Request.Get_status_any(requests)[1]:
    pass
expect(MPI.Request.Get_status_any(requests) == (1, True))
expect(MPI.Request.Get_status_some(requests) == [1])
expect(not MPI.Request.Get_status_all(requests))
world.send("zero", 1 - me, tag=0)
while not MPI.Request.Get_status_all(requests):
    pass
expect(MPI.Request.waitall(requests) == ["zero", "one"])

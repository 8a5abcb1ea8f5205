# MPI_Send: tags range from 0 to MPI_TAG_UB, inclusive; beyond is MPI_ERR_TAG [MPI-5.0 §9.1.2]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
from commsplit import expect, expect_error

world = MPI.COMM_WORLD
me = world.Get_rank()
bound = world.Get_attr(MPI.TAG_UB)
other = 1 - me
request = world.isend("last", dest=other, tag=bound)
expect(world.recv(source=other, tag=bound) == "last", "a valid tag")
request.wait()
expect_error(MPI.ERR_TAG, world.send, "never", other, -5)

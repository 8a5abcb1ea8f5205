# MPI_Waitsome: without an active request it returns at once, with outcount MPI_UNDEFINED [MPI-5.0 §3.7.5]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
from commsplit import expect

world = MPI.COMM_WORLD
me = world.Get_rank()
expect(MPI.Request.Waitsome([MPI.REQUEST_NULL, MPI.Request()]) == None)
expect(MPI.Request.Testsome([MPI.REQUEST_NULL]) == None)
expect(MPI.Request.Waitsome([]) == None)

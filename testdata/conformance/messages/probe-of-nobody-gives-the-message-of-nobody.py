# MPI_Mprobe: from MPI_PROC_NULL it gives MPI_MESSAGE_NO_PROC [MPI-5.0 §3.8.2]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
from commsplit import expect

world = MPI.COMM_WORLD
me = world.Get_rank()
message = world.mprobe(source=MPI.PROC_NULL)
expect(message == MPI.MESSAGE_NO_PROC)
status = MPI.Status()
expect(message.recv(status) == None, "nothing is received")
expect(status.Get_source() == MPI.PROC_NULL)
expect(message == MPI.MESSAGE_NULL)

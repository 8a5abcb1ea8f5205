# MPI_Mrecv: MPI_MESSAGE_NULL is not a message to receive [MPI-5.0 §3.8.3]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
from commsplit import expect, expect_error

world = MPI.COMM_WORLD
me = world.Get_rank()
message = MPI.Message()
expect(message == MPI.MESSAGE_NULL)
expect_error(MPI.ERR_REQUEST, message.recv)

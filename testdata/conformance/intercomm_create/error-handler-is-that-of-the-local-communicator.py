# MPI_Intercomm_create: the error handler is inherited from the local communicator [MPI-5.0 §9.3]
# commsplit: -n 4 --topo core:4
from mpi4py import MPI
from commsplit import expect

world = MPI.COMM_WORLD
me = world.Get_rank()
half = world.Split(me % 2, me)
# It may differ between the sides.
handler = MPI.ERRORS_ARE_FATAL if me % 2 == 0 else MPI.ERRORS_RETURN
half.Set_errhandler(handler)
inter = half.Create_intercomm(0, world, 1 - me % 2, 0)
expect(inter.Get_errhandler() == handler, "that of local_comm")

# MPI_Intercomm_merge: each process inherits the handler of its own intercommunicator handle [MPI-5.0 §9.3]
# commsplit: -n 4 --topo core:4
from mpi4py import MPI
from commsplit import expect

world = MPI.COMM_WORLD
me = world.Get_rank()
half = world.Split(me % 2, me)  # evens and odds
inter = half.Create_intercomm(0, world, 1 - me % 2)
handler = MPI.ERRORS_ARE_FATAL if me % 2 == 0 else MPI.ERRORS_RETURN
inter.Set_errhandler(handler)
expect(inter.Merge(me % 2 == 1).Get_errhandler() == handler, "that of the local group")

# MPI_Comm_get_errhandler: gives the handler that is attached now [MPI-5.0 §9.3.1]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
from commsplit import expect

world = MPI.COMM_WORLD
before = world.Get_errhandler()
world.Set_errhandler(MPI.ERRORS_RETURN)
expect(world.Get_errhandler() == MPI.ERRORS_RETURN, "set")
world.Set_errhandler(before)
expect(world.Get_errhandler() == before, "restored")

# MPI_Info_get_string: MPI_INFO_ENV tells how the program was started, in strings [MPI-5.0 §11.5]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
from commsplit import expect

world = MPI.COMM_WORLD
me = world.Get_rank()
expect(MPI.INFO_ENV != MPI.INFO_NULL)
expect(MPI.INFO_ENV.get("maxprocs") == "2")

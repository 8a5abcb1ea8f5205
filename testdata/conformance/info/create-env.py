# MPI_Info_create_env: a new object with the same pairs, each time [MPI-5.0 §11.5]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
from commsplit import expect

world = MPI.COMM_WORLD
me = world.Get_rank()
info = MPI.Info.Create_env()
expect(info.get("maxprocs") == "2")
info.Set("maxprocs", "7")
again = MPI.Info.Create_env()
expect(again.get("maxprocs") == "2", "another object")
info.Free()
again.Free()

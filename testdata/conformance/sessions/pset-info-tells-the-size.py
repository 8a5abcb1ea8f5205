# MPI_Session_get_pset_info: the info object has the key mpi_size, the number of processes [MPI-5.0 §11.3.3]
# commsplit: -n 4 --topo core:4 --pset app://ocean=1-3
from mpi4py import MPI
from commsplit import expect

world = MPI.COMM_WORLD
me = world.Get_rank()
session = MPI.Session.Init()
expect(session.Get_pset_info("mpi://WORLD").Get("mpi_size") == "4", "all processes")
expect(session.Get_pset_info("mpi://SELF").Get("mpi_size") == "1", "the calling one")
if me > 0:
    expect(session.Get_pset_info("app://ocean").Get("mpi_size") == "3", "three of them")

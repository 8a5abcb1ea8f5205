# MPI_Session_get_num_psets: a set that the launcher made is found by its members [MPI-5.0 §11.3.3]
# commsplit: -n 4 --topo core:4 --pset app://ocean=1-2
from mpi4py import MPI
from commsplit import expect, expect_parts

world = MPI.COMM_WORLD
me = world.Get_rank()
session = MPI.Session.Init()
names = [session.Get_nth_pset(i) for i in range(session.Get_num_psets())]
if me in [1, 2]:
    expect("app://ocean" in names, "a member of the set knows it")
    comm = MPI.Intracomm.Create_from_group(session.Create_group("app://ocean"), "org.example.ocean")
    expect_parts(comm, [[1, 2]])

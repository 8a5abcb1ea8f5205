# MPI_Intercomm_create_from_groups: with an empty group it is local and gives MPI_COMM_NULL [MPI-5.0 §7.6.2]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
from commsplit import expect

world = MPI.COMM_WORLD
me = world.Get_rank()
create = MPI.Intercomm.Create_from_groups
session = MPI.Session.Init()
self_group = session.Create_group("mpi://SELF")
if me == 0:
    expect(create(self_group, 0, MPI.GROUP_EMPTY, 0, "org.example.nobody") == MPI.COMM_NULL, "no remote group")
    expect(create(MPI.GROUP_EMPTY, 0, self_group, 0, "org.example.nobody") == MPI.COMM_NULL, "no local group")
    world.send("go on", dest=1)
else:
    expect(world.recv(source=0) == "go on", "rank 0 did not wait for rank 1")

# MPI_Comm_create_from_group: with MPI_GROUP_EMPTY it is local and gives MPI_COMM_NULL [MPI-5.0 §7.4.2]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
from commsplit import expect

world = MPI.COMM_WORLD
me = world.Get_rank()
if me == 0:
    expect(MPI.Intracomm.Create_from_group(MPI.GROUP_EMPTY, "org.example.nobody") == MPI.COMM_NULL, "no communicator")
    world.send("go on", dest=1)
else:
    expect(world.recv(source=0) == "go on", "rank 0 did not wait for rank 1")

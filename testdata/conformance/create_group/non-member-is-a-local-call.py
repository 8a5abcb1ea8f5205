# MPI_Comm_create_group: for a process that is not in group, it is local and gives MPI_COMM_NULL [MPI-5.0 §7.4.2]
# commsplit: -n 4 --topo core:4
from mpi4py import MPI
from commsplit import expect, expect_parts

world = MPI.COMM_WORLD
me = world.Get_rank()
others = world.Get_group().Incl([1, 2])
if me == 0:
    expect(world.Create_group(others) == MPI.COMM_NULL, "not a member")
    expect(world.Create_group(MPI.GROUP_EMPTY) == MPI.COMM_NULL, "nobody is a member")
    world.send("go on", dest=1)
if me == 1:
    world.recv(source=0)
comm = world.Create_group(others) if me in [1, 2] else MPI.COMM_NULL
expect_parts(comm, [[1, 2]])

# MPI_Comm_create: of an intercommunicator, the local groups given are the groups of newcomm [MPI-5.0 §7.4.2]
# commsplit: -n 6 --topo core:6
from mpi4py import MPI
from commsplit import expect, expect_parts

world = MPI.COMM_WORLD
me = world.Get_rank()
half = world.Split(me % 2, me)  # evens and odds
inter = half.Create_intercomm(0, world, 1 - me % 2)
# Evens: 0 and 4; odds: all.
group = inter.Get_group().Incl([0, 2]) if me % 2 == 0 else inter.Get_group()
comm = inter.Create(group)
expect_parts(comm, [([0, 4], [1, 3, 5])])
if comm != MPI.COMM_NULL:
    expect(comm.Is_inter(), "an intercommunicator")

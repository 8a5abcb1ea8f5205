# MPI_Intercomm_create_from_groups: newintercomm has the two groups as its sides [MPI-5.0 §7.6.2]
# commsplit: -n 4 --topo core:4
from mpi4py import MPI
from commsplit import expect, expect_parts

world = MPI.COMM_WORLD
me = world.Get_rank()
session = MPI.Session.Init()
everybody = session.Create_group("mpi://WORLD")
left = everybody.Incl([2, 0])
right = everybody.Incl([1, 3])
local = left if me % 2 == 0 else right
remote = right if me % 2 == 0 else left
inter = MPI.Intercomm.Create_from_groups(local, 0, remote, 0, "org.example.pair")
expect_parts(inter, [([2, 0], [1, 3])])
expect(inter.Get_rank() == local.Get_rank(), "the rank in the local group")

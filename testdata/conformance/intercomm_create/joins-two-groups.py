# MPI_Intercomm_create: newintercomm has the group of local_comm on each side [MPI-5.0 §7.6.2]
# commsplit: -n 6 --topo core:6
from mpi4py import MPI
from commsplit import expect, expect_parts

world = MPI.COMM_WORLD
me = world.Get_rank()
low = me < 2
local = world.Split(0 if low else 1, -me)  # 1 0 and 5 4 3 2
inter = local.Create_intercomm(0, world, 5 if low else 1, 3)
expect_parts(inter, [([1, 0], [5, 4, 3, 2])])
expect(inter.Get_size() == (2 if low else 4), "the local size")
expect(inter.Get_remote_size() == (4 if low else 2), "the remote size")
expect(inter.Get_rank() == local.Get_rank(), "the rank in the local group")

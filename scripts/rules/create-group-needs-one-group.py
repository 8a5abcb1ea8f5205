# MPI_Comm_create_group requires that comm is an intracommunicator [MPI-5.0 §7.4.2]
# commsplit: -n 4 --topo core:4
from mpi4py import MPI
from commsplit import expect_error, expect_parts, note, world

note("Unlike MPI_Comm_create, it does not take an intercommunicator.")
me = world.Get_rank()
side = world.Split(me % 2, me)
inter = side.Create_intercomm(0, world, 1 - me % 2, 0)
expect_error(MPI.ERR_COMM, inter.Create_group, inter.Get_group(), 0)
expect_parts(inter.Create(inter.Get_group()), [([0, 2], [1, 3])])
expect_parts(side.Create_group(side.Get_group(), 0), [[0, 2], [1, 3]])

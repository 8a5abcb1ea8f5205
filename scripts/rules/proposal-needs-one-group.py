# MPI_Get_hwsubdomain_names: its communicator must be an intracommunicator [proposal of 2019]
# commsplit: --std draft2019 -n 4 --topo "pack:2 core:2"
from mpi4py import MPI
from commsplit import expect, expect_error, note, world

note("An intercommunicator joins two groups, but the proposal requires one group.")
me = world.Get_rank()
side = world.Split(me % 2, me)
inter = side.Create_intercomm(0, world, 1 - me % 2, 0)
info = MPI.Info.Create()
expect_error(MPI.ERR_COMM, MPI.Get_hwsubdomain_names, inter, info)
expect(MPI.Get_hwsubdomain_names(side, info) == MPI.Get_hwsubdomain_names(world, info), "any intracommunicator does")

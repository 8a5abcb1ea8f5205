# HW_GUIDED: the key orders each new communicator, ties go by the old rank [MPI-5.0 §7.4.2]
# commsplit: -n 6 --topo "pack:2 core:3"
from mpi4py import MPI
from commsplit import expect_parts, note, world

me = world.Get_rank()
info = MPI.Info.Create()
info.Set("mpi_hw_resource_type", "hwloc://Package")
note("One communicator for each package; keys reverse its order, and equal keys keep it.")
expect_parts(world.Split_type(MPI.COMM_TYPE_HW_GUIDED, -me, info), [[2, 1, 0], [5, 4, 3]])
expect_parts(world.Split_type(MPI.COMM_TYPE_RESOURCE_GUIDED, [1, 0, 1, 0, 1, 0][me], info), [[1, 0, 2], [3, 5, 4]])
turned = world.Split(0, -me)
expect_parts(turned.Split_type(MPI.COMM_TYPE_HW_GUIDED, 0, info), [[2, 1, 0], [5, 4, 3]])

# HW_UNGUIDED: as few new communicators as possible, each with all processes of its instance [MPI-5.0 §7.4.2]
# commsplit: -n 8 --topo "pack:2 l2:2 core:2"
from mpi4py import MPI
from commsplit import expect, expect_parts, note, world

note("Packages, L2 caches and cores would all be possible; two packages make the fewest communicators.")
info = MPI.Info.Create()
part = world.Split_type(MPI.COMM_TYPE_HW_UNGUIDED, 0, info)
expect(info.Get("mpi_hw_resource_type") == "hwloc://Package", "the coarsest type that splits")

note("Each communicator has all processes that use its package and no other package.")
expect_parts(part, [[0, 1, 2, 3], [4, 5, 6, 7]])

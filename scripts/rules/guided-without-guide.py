# HW_GUIDED gives MPI_COMM_NULL without info, without the key, and for a value not recognized [MPI-5.0 §7.4.2]
# commsplit: -n 4 --topo "pack:2 core:2"
from mpi4py import MPI
from commsplit import expect, expect_parts, note, world

note("No guide: MPI_INFO_NULL, an info object without the key, an unknown type.")
info = MPI.Info.Create()
expect(world.Split_type(MPI.COMM_TYPE_HW_GUIDED, 0, MPI.INFO_NULL) == MPI.COMM_NULL, "MPI_INFO_NULL")
expect(world.Split_type(MPI.COMM_TYPE_HW_GUIDED, 0, info) == MPI.COMM_NULL, "no key")
info.Set("mpi_hw_resource_type", "hwloc://Toaster")
expect(world.Split_type(MPI.COMM_TYPE_HW_GUIDED, 0, info) == MPI.COMM_NULL, "not recognized")

note("With a guide:")
info.Set("mpi_hw_resource_type", "hwloc://Package")
expect_parts(world.Split_type(MPI.COMM_TYPE_HW_GUIDED, 0, info), [[0, 1], [2, 3]])

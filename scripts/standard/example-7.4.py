# Example 7.4: a communicator per NUMA node, RESOURCE_GUIDED, and which ranks get none [MPI-5.0 §7.4.2]
# commsplit: -n 12 --topo figure-7.3 --bind 0,1,2,3,4,5,6-7,6-7,8,9,10,11
from mpi4py import MPI
from commsplit import expect, expect_error, expect_parts, note

note("With hardware resources, RESOURCE_GUIDED does the same as HW_GUIDED; it also splits by process sets.")
rank = MPI.COMM_WORLD.Get_rank()
info = MPI.Info.Create()
info.Set("mpi_hw_resource_type", "hwloc://NUMANode")
hwcomm = MPI.COMM_WORLD.Split_type(MPI.COMM_TYPE_RESOURCE_GUIDED, rank, info)

expect_parts(hwcomm, [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]])

note("A process that may use several instances of the resource, or names no known resource, gets MPI_COMM_NULL.")
# Processes that may use several instances of the resource get MPI_COMM_NULL: cores, for 6 and 7.
info.Set("mpi_hw_resource_type", "hwloc://Core")
core = MPI.COMM_WORLD.Split_type(MPI.COMM_TYPE_RESOURCE_GUIDED, rank, info)
expect_parts(core, [[0], [1], [2], [3], [4], [5], [8], [9], [10], [11]])

# So do all processes when the value is not recognized, or when there is no info object.
info.Set("mpi_hw_resource_type", "hwloc://Toaster")
expect(MPI.COMM_WORLD.Split_type(MPI.COMM_TYPE_RESOURCE_GUIDED, rank, info) == MPI.COMM_NULL, "unknown resource type")
expect(MPI.COMM_WORLD.Split_type(MPI.COMM_TYPE_RESOURCE_GUIDED, rank, MPI.INFO_NULL) == MPI.COMM_NULL, "MPI_INFO_NULL")

# Only one of the two info keys can be used in a call.
info.Set("mpi_pset_name", "app://ocean")
expect_error(MPI.ERR_ARG, lambda: MPI.COMM_WORLD.Split_type(MPI.COMM_TYPE_RESOURCE_GUIDED, rank, info))

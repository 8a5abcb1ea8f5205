# Example 7.3: a communicator per NUMA node, HW_GUIDED [MPI-5.0 §7.4.2]
# commsplit: -n 12 --topo figure-7.3 --bind 0,1,2,3,4,5,6-7,6-7,8,9,10,11
from mpi4py import MPI
from commsplit import expect, expect_parts, note

rank = MPI.COMM_WORLD.Get_rank()
info = MPI.Info.Create()
info.Set("mpi_hw_resource_type", "hwloc://NUMANode")
hwcomm = MPI.COMM_WORLD.Split_type(MPI.COMM_TYPE_HW_GUIDED, rank, info)

note("The machine has three NUMA nodes: cores 0-3 and 4-7 in rack 0, cores 8-11 in rack 1. Processes 6 and 7 may use two cores, but both cores belong to one NUMA node.")
expect_parts(hwcomm, [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]])
expect(hwcomm.Get_rank() == rank % 4, "ranks follow the key, which is the rank in MPI_COMM_WORLD")
print("rank %d of %d on its NUMA node" % (hwcomm.Get_rank(), hwcomm.Get_size()))

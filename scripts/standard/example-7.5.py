# Example 7.5 and Figure 7.3: down the hardware, level by level, HW_UNGUIDED [MPI-5.0 §7.4.2]
# commsplit: -n 12 --topo figure-7.3 --bind 0,1,2,3,4,5,6-7,6-7,8,9,10,11
from mpi4py import MPI
from commsplit import expect, expect_parts, note

note("Each call splits the communicator of the call before, until MPI_COMM_NULL comes.")
MAX_NUM_LEVELS = 32

hwcomm = [MPI.COMM_WORLD]
resource = ["all"]
level_num = 0

# The standard passes MPI_INFO_NULL; with an info object, each process learns the type of its
# communicator.
while hwcomm[level_num] != MPI.COMM_NULL and level_num < MAX_NUM_LEVELS - 1:
    rank = hwcomm[level_num].Get_rank()
    info = MPI.Info.Create()
    hwcomm.append(hwcomm[level_num].Split_type(MPI.COMM_TYPE_HW_UNGUIDED, rank, info))
    resource.append(info.Get("mpi_hw_resource_type"))
    level_num += 1
    if hwcomm[level_num] != MPI.COMM_NULL:
        print("level %d: %s, size %d" % (level_num, resource[level_num], hwcomm[level_num].Get_size()))

def level(k):
    return hwcomm[k] if k < len(hwcomm) else MPI.COMM_NULL

def stands_for(k, name):
    return resource[k] == name

me = MPI.COMM_WORLD.Get_rank()

# First splitting: the racks.
expect_parts(level(1), [[0, 1, 2, 3, 4, 5, 6, 7], [8, 9, 10, 11]])
expect(stands_for(1, "commsplit://Rack"), "level 1 stands for racks")

# Second: NUMA nodes in rack 0, but CPUs in rack 1, which has only one NUMA node.
expect_parts(level(2), [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9], [10, 11]])
expect(stands_for(2, "hwloc://NUMANode" if me < 8 else "hwloc://Package"), "level 2 differs between the racks")

# Third: CPUs in rack 0, cores in rack 1.
expect_parts(level(3), [[0, 1], [2, 3], [4, 5], [6, 7], [8], [9], [10], [11]])
expect(stands_for(3, "hwloc://Package" if me < 8 else "hwloc://Core"), "level 3 differs between the racks")

# Fourth: cores. Processes 6 and 7 can use cores 6 and 7 indifferently, so they end here; so do the
# processes of rack 1, which are alone already.
expect_parts(level(4), [[0], [1], [2], [3], [4], [5]])
expect(me > 5 or stands_for(4, "hwloc://Core"), "level 4 stands for cores")

# No communicator is left to split.
expect_parts(level(5), [])
expect(level_num == (5 if me < 6 else 4), "processes 6 to 11 end one level earlier")

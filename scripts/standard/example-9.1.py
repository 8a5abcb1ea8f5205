# Example 9.1: ask for the hardware first, then split those that are restricted [MPI-5.0 §9.1.2]
# commsplit: -n 8 --topo figure-7.3 --bind 0,1,2-5,4,5,0-11,8,9
from mpi4py import MPI
from commsplit import expect, expect_parts, note

is_found = False
is_restricted = False

hw_info = MPI.Get_hw_resource_info()
nb_keys = hw_info.Get_nkeys()
for index in range(nb_keys):
    hw_type = hw_info.Get_nthkey(index)
    value = hw_info.Get(hw_type)
    if hw_type == "hwloc://NUMANode":
        is_found = True
        if value == "true":
            is_restricted = True
        break  # resource of type NUMANode found

# The calling process is restricted to a resource of the chosen type (NUMANode)
if is_found and is_restricted:
    split_info = MPI.Info.Create()
    # hw_type now serves as value for the "mpi_hw_resource_type" key
    split_info.Set("mpi_hw_resource_type", hw_type)
    rank = MPI.COMM_WORLD.Get_rank()
    hw_comm = MPI.COMM_WORLD.Split_type(MPI.COMM_TYPE_RESOURCE_GUIDED, rank, split_info)
else:
    # If the resource is not found or the process not restricted to it, it does not take part, hence
    # MPI_UNDEFINED as split_type, and MPI_COMM_NULL as output communicator
    hw_comm = MPI.COMM_WORLD.Split_type(MPI.UNDEFINED, -1, MPI.INFO_NULL)

hw_info.Free()

note("Process 2 may use PUs of two NUMA nodes, process 5 the whole machine; the others one node each.")
me = MPI.COMM_WORLD.Get_rank()
expect(is_found, "the machine has NUMA nodes")
expect(is_restricted == (me not in [2, 5]), "processes 2 and 5 are not restricted to one NUMA node")
expect_parts(hw_comm, [[0, 1], [3, 4], [6, 7]])
print("restricted to one NUMA node" if is_restricted else "not restricted to one NUMA node")

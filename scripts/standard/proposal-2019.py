# Proposal of 2019: ask for the names of the hardware resource types, then split by one of them [proposal of 2019]
# commsplit: --std draft2019 -n 12 --topo figure-7.3 --bind 0,1,2,3,4,5,6-7,6-7,8,9,10,11
from mpi4py import MPI
from commsplit import expect, expect_error, expect_parts, note

# Before MPI_Get_hw_resource_info there was this proposal. It never became part of the standard, so no
# MPI library and no mpi4py has its names: this program runs here only.
oldcomm = MPI.COMM_WORLD
rank = oldcomm.Get_rank()
info = MPI.Info.Create()

num_resources = MPI.Get_hwsubdomain_names(oldcomm, info)
print("Number of resources available: %d" % num_resources)

names = []
for idx in range(num_resources):
    # The proposal's example asks for "mpi_hw_res%d", but its text defines the keys with "_".
    key = "mpi_hw_res_%d" % idx
    name = info.Get(key)
    if name != None:
        print("Resource %s type is: %s" % (key, name))
        names.append(name)

expect(num_resources == len(names), "there are that many keys")
expect("NUMANode" in names and "Package" in names and "Core" in names, "the types of the machine")
expect(info.Get("mpi_hw_res_%d" % num_resources) == None, "and no more")

# The second variant has no communicator.
expect(MPI.Get_hwsubdomain_names(MPI.Info.Create()) == num_resources, "the variants agree")
expect_error(MPI.ERR_COMM, lambda: MPI.Get_hwsubdomain_names(MPI.COMM_NULL, info))

# "Let us suppose that L3Cache is an available resource": this machine has none, but NUMA nodes.
info.Set("mpi_hw_domain_type", "NUMANode")
hwcomm = oldcomm.Split_type(MPI.COMM_TYPE_HW_SUBDOMAIN, rank, info)
expect_parts(hwcomm, [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]])

# Processes that use several instances of a type get no communicator: 6 and 7 of cores.
info.Set("mpi_hw_domain_type", "Core")
core = oldcomm.Split_type(MPI.COMM_TYPE_HW_SUBDOMAIN, rank, info)
expect_parts(core, [[0], [1], [2], [3], [4], [5], [8], [9], [10], [11]])

note("The names belong to the info object alone: no communicator takes or gives them.")
oldcomm.Set_info(info)
expect(oldcomm.Get_info().Get("mpi_hw_res_0") == None, "the names are not hints")

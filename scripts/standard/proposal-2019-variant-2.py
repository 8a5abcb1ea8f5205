# Proposal of 2019, variant 2: the query without a communicator, as in the proposal's code [proposal of 2019]
# commsplit: --std draft2019 -n 8 --topo "pack:2 l3:2 core:2"
from mpi4py import MPI
from commsplit import expect, expect_parts, note

note("The code example of the proposal leaves the first argument out. It is not part of any standard.")
oldcomm = MPI.COMM_WORLD
rank = oldcomm.Get_rank()
info = MPI.Info.Create()

num_resources = MPI.Get_hwsubdomain_names(info)
print("Number of resource available: %d" % num_resources)

names = []
for idx in range(num_resources):
    # The code has "mpi_hw_res%d"; the text, which counts, has "_".
    key = "mpi_hw_res_%d" % idx
    if info.Get(key) != None:
        print("Resource %s type is: %s" % (key, info.Get(key)))
        names.append(info.Get(key))
expect(len(names) == num_resources, "nresources is the number of keys")

# "Let us suppose that L3Cache is an available resource"
expect("L3Cache" in names, "here it is")
info.Set("mpi_hw_domain_type", "L3Cache")
hwcomm = oldcomm.Split_type(MPI.COMM_TYPE_HW_SUBDOMAIN, rank, info)
expect_parts(hwcomm, [[0, 1], [2, 3], [4, 5], [6, 7]])

# HW_UNGUIDED: the sequence of communicators may skip types of hardware [MPI-5.0 §7.4.2]
# commsplit: -n 8 --topo "pack:2 numa:1 l3:1 l2:2 core:2 pu:1"
from mpi4py import MPI
from commsplit import expect, expect_parts, note

note("Each package has one NUMA node and one L3 cache: they would hold the same processes, so they are not separate steps.")
comm = MPI.COMM_WORLD
chain = []
while comm != MPI.COMM_NULL:
    info = MPI.Info.Create()
    comm = comm.Split_type(MPI.COMM_TYPE_HW_UNGUIDED, 0, info)
    chain.append((comm, info.Get("mpi_hw_resource_type")))

note("From the world down: packages, L2 caches, cores, then MPI_COMM_NULL.")
expect_parts(chain[0][0], [[0, 1, 2, 3], [4, 5, 6, 7]])
expect_parts(chain[1][0], [[0, 1], [2, 3], [4, 5], [6, 7]])
expect_parts(chain[2][0], [[0], [1], [2], [3], [4], [5], [6], [7]])
expect_parts(chain[3][0], [])
print("the types:", [kind for _, kind in chain])
expect(chain[1][1] == "hwloc://L2Cache" and chain[2][1] == "hwloc://Core", "NUMA nodes and L3 caches are skipped")
expect(len(chain) == 4 and chain[3][1] == None, "no type with MPI_COMM_NULL")

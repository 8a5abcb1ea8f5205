# MPI_Comm_split_type: HW_UNGUIDED, each newcomm can represent a different type, as in Figure 7.3 [MPI-5.0 §7.4.2]
# commsplit: -n 12 --topo figure-7.3 --bind 0,1,2,3,4,5,6-7,6-7,8,9,10,11
from mpi4py import MPI
from commsplit import expect, expect_parts

world = MPI.COMM_WORLD
me = world.Get_rank()
rack = world.Split_type(MPI.COMM_TYPE_HW_UNGUIDED, me)
info = MPI.Info.Create()
second = rack.Split_type(MPI.COMM_TYPE_HW_UNGUIDED, me, info)
# Rack 1 has only one NUMA node, which holds all of its processes: its CPUs are the next level there.
expect_parts(second, [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9], [10, 11]])
kind = "hwloc://NUMANode" if me < 8 else "hwloc://Package"
expect(info.Get("mpi_hw_resource_type") == kind, "NUMA nodes in rack 0, CPUs in rack 1")

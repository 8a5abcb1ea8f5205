# HW_GUIDED: the largest set of processes that use one instance and no other, however many [MPI-5.0 §7.4.2]
# commsplit: -n 8 --topo "pack:2 core:4" --bind 0,1,2-3,0-7,4,5,6-7,3-4
from mpi4py import MPI
from commsplit import expect, expect_parts, note, world

info = MPI.Info.Create()

def by(resource):
    info.Set("mpi_hw_resource_type", resource)
    return world.Split_type(MPI.COMM_TYPE_HW_GUIDED, world.Get_rank(), info)

note("Rank 3 may use both packages, and so may rank 7, on cores 3 and 4. All others get a communicator.")
expect_parts(by("hwloc://Package"), [[0, 1, 2], [4, 5, 6]])

note("Ranks 2 and 6 use two cores each, so they fit into a package, but not into a core.")
expect_parts(by("hwloc://Core"), [[0], [1], [4], [5]])

note("A part need not be smaller than the whole: all ranks use the one machine.")
expect_parts(by("hwloc://Machine"), [[0, 1, 2, 3, 4, 5, 6, 7]])

# HW_UNGUIDED: every new communicator is a strict subset of the old, or there is none [MPI-5.0 §7.4.2]
# commsplit: -n 4 --topo "pack:1 numa:1 core:4" --bind 0,1,0-3,0-3
from mpi4py import MPI
from commsplit import expect, expect_parts, note, world

note("All ranks use the one package and its NUMA node, which would give the whole group. So the split goes on to the cores, for the ranks that are bound to one core.")
info = MPI.Info.Create()
part = world.Split_type(MPI.COMM_TYPE_HW_UNGUIDED, 0, info)
expect_parts(part, [[0], [1]])
expect((part == MPI.COMM_NULL) == (world.Get_rank() > 1), "ranks 2 and 3 may use all cores")

note("A communicator of one process has no nonempty strict subset.")
if part != MPI.COMM_NULL:
    expect(part.Split_type(MPI.COMM_TYPE_HW_UNGUIDED, 0) == MPI.COMM_NULL, "the end of the way down")

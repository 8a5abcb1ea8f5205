# HW_UNGUIDED sets mpi_hw_resource_type, the same for all processes of a new communicator [MPI-5.0 §7.4.2]
# commsplit: -n 5 --topo "pack:2 core:2" --bind 0,1,2,3,0-3
from mpi4py import MPI
from commsplit import expect, expect_parts, note, world

note("The call writes the type of the new communicator into the info object. Rank 4, which is unbound, gets no type.")
info = MPI.Info.Create()
part = world.Split_type(MPI.COMM_TYPE_HW_UNGUIDED, 0, info)
kind = info.Get("mpi_hw_resource_type")
expect_parts(part, [[0, 1], [2, 3]])
if part != MPI.COMM_NULL:
    expect(kind == "hwloc://Package", "a package")
    expect(part.allgather(kind) == [kind, kind], "the same for all of the communicator")
else:
    expect(kind == None, "MPI_COMM_NULL has no type")

# That name can guide another split.
guide = MPI.Info.Create()
guide.Set("mpi_hw_resource_type", "hwloc://Package")
expect_parts(world.Split_type(MPI.COMM_TYPE_HW_GUIDED, 0, guide), [[0, 1], [2, 3]])

# The keys of MPI_Get_hw_resource_info are values for mpi_hw_resource_type [MPI-5.0 §9.1.2]
# commsplit: -n 4 --topo "pack:2 l2:2 core:1"
from mpi4py import MPI
from commsplit import expect, expect_parts, note, world

note("Each type in turn, by both guided split types: they agree, and give a communicator to each process that is restricted.")
hw_info = MPI.Get_hw_resource_info()
info = MPI.Info.Create()
for kind in sorted(hw_info.keys()):
    info.Set("mpi_hw_resource_type", kind)
    by_hardware = world.Split_type(MPI.COMM_TYPE_HW_GUIDED, 0, info)
    by_resource = world.Split_type(MPI.COMM_TYPE_RESOURCE_GUIDED, 0, info)
    expect((by_hardware != MPI.COMM_NULL) == (hw_info.Get(kind) == "true"), kind)
    expect((by_resource != MPI.COMM_NULL) == (hw_info.Get(kind) == "true"), kind)
    if by_hardware != MPI.COMM_NULL:
        expect(MPI.Comm.Compare(by_hardware, by_resource) == MPI.CONGRUENT, kind)

info.Set("mpi_hw_resource_type", "hwloc://Package")
expect_parts(world.Split_type(MPI.COMM_TYPE_HW_GUIDED, 0, info), [[0, 1], [2, 3]])

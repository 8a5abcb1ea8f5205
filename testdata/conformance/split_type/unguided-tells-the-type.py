# MPI_Comm_split_type: HW_UNGUIDED sets mpi_hw_resource_type for members of a newcomm, equal in each [MPI-5.0 §7.4.2]
# commsplit: -n 4 --topo "pack:2 core:2" --bind 0,1,0-3,3
from mpi4py import MPI
from commsplit import expect

world = MPI.COMM_WORLD
me = world.Get_rank()
info = MPI.Info.Create()
comm = world.Split_type(MPI.COMM_TYPE_HW_UNGUIDED, me, info)
kind = info.Get("mpi_hw_resource_type")
expect((kind == None) == (me == 2), "only rank 2, which got MPI_COMM_NULL, is told nothing")
if comm != MPI.COMM_NULL:
    expect(comm.allgather(kind) == [kind] * comm.Get_size(), "the same type in all of newcomm")
    expect("://" in kind, "it is a URI, as the standard recommends")

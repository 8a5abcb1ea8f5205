# MPI_Comm_create can subdivide the communicator of an earlier MPI_Comm_create [MPI-5.0 §7.4.2]
# commsplit: -n 8 --topo core:8
from mpi4py import MPI
from commsplit import expect_parts, note, world

note("Eight, then four, then two: each time the lower half of the group.")
comm = world
sizes = []
while comm != MPI.COMM_NULL and comm.Get_size() > 1:
    half = list(range(comm.Get_size() // 2))
    comm = comm.Create(comm.Get_group().Incl(half))
    if comm != MPI.COMM_NULL:
        sizes.append(comm.Get_size())
expect_parts(comm, [[0]])
print("parts of size", sizes)

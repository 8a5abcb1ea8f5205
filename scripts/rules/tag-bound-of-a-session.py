# In the Sessions Model, MPI_TAG_UB is attached to the communicators made of groups [MPI-5.0 §9.1.2]
# commsplit: -n 4 --topo core:4
from mpi4py import MPI
from commsplit import expect, expect_parts, note

note("Communicators of MPI_Comm_create_from_group and MPI_Intercomm_create_from_groups have it.")
session = MPI.Session.Init()
group = session.Create_group("mpi://WORLD")
comm = MPI.Intracomm.Create_from_group(group, "org.example.all")
even, odd = group.Incl([0, 2]), group.Incl([1, 3])
mine, other = (even, odd) if group.Get_rank() % 2 == 0 else (odd, even)
inter = MPI.Intercomm.Create_from_groups(mine, 0, other, 0, "org.example.sides")
for made in [comm, inter]:
    bound = made.Get_attr(MPI.TAG_UB)
    expect(bound != None and bound >= 32767, "attached")
    expect(comm.allgather(bound) == [bound] * 4, "the same on all processes")
expect_parts(inter, [([0, 2], [1, 3])])

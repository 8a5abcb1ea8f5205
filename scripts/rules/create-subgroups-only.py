# MPI_Comm_create: each group is a subgroup of the group of comm [MPI-5.0 §7.4.2]
# commsplit: -n 6 --topo core:6
from mpi4py import MPI
from commsplit import expect_error, expect_parts, note, world

note("The even ranks are a communicator. A group with rank 1 of the world is not part of it.")
me = world.Get_rank()
everybody = world.Get_group()
even = world.Split(0 if me % 2 == 0 else MPI.UNDEFINED, me)
if even != MPI.COMM_NULL:
    expect_error(MPI.ERR_GROUP, even.Create, everybody.Incl([0, 1, 2]))

# Incl takes ranks in the group that it is called on, here that of the world.
made = MPI.COMM_NULL
if even != MPI.COMM_NULL:
    made = even.Create(everybody.Incl([4, 0]))
expect_parts(made, [[4, 0]])

# In MPI 1.1, MPI_Comm_create wants the same group of all processes; disjoint ones came with 2.2 [MPI-2.2 §6.4.2]
# commsplit: -n 4 --topo core:4 --std 1.1
from mpi4py import MPI
from commsplit import expect_error, expect_parts, note, world

me = world.Get_rank()
everybody = world.Get_group()
note("The original mechanism: one group, passed by all.")
expect_parts(world.Create(everybody.Incl([1, 2])), [[1, 2]])

note("In MPI 1.1, two disjoint groups in one call are an error; since MPI 2.2 they are allowed (run it with --std 2.2).")
expect_error(MPI.ERR_GROUP, world.Create, everybody.Incl([0, 1] if me < 2 else [2, 3]))

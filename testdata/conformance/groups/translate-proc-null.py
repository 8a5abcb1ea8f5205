# MPI_Group_translate_ranks: MPI_PROC_NULL translates to MPI_PROC_NULL [MPI-5.0 §7.3.1]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
from commsplit import expect

world = MPI.COMM_WORLD
everybody = world.Get_group()
found = list(MPI.Group.Translate_ranks(everybody, [MPI.PROC_NULL, 1], everybody.Incl([1])))
expect(found == [MPI.PROC_NULL, 0], "nobody stays nobody")

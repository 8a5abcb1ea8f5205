# MPI_Comm_dup_with_info: hints that the implementation does not know are ignored [MPI-5.0 §10]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
from commsplit import expect_parts

world = MPI.COMM_WORLD
info = MPI.Info.Create()
info.Set("org_example_color", "blue")
copy = world.Dup_with_info(info)
expect_parts(copy, [[0, 1]])

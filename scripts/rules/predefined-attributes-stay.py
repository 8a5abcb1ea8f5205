# It is erroneous to delete the predefined attributes, free their keys or change their values [MPI-5.0 §9.1.2]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
from commsplit import expect, expect_error, note, world

note("Three attempts on MPI_TAG_UB, and three errors.")
bound = world.Get_attr(MPI.TAG_UB)
expect_error(MPI.ERR_KEYVAL, world.Set_attr, MPI.TAG_UB, 7)
expect_error(MPI.ERR_KEYVAL, world.Delete_attr, MPI.TAG_UB)
expect_error(MPI.ERR_KEYVAL, MPI.Comm.Free_keyval, MPI.TAG_UB)
expect(world.Get_attr(MPI.TAG_UB) == bound, "it is as before")

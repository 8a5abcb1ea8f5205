# MPI_Comm_set_attr: predefined attributes are not changed, deleted, their keys freed, MPI_ERR_KEYVAL [MPI-5.0 §9.1.2]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
from commsplit import expect, expect_error

world = MPI.COMM_WORLD
expect_error(MPI.ERR_KEYVAL, world.Set_attr, MPI.TAG_UB, 7)
expect_error(MPI.ERR_KEYVAL, world.Delete_attr, MPI.TAG_UB)
expect_error(MPI.ERR_KEYVAL, MPI.Comm.Free_keyval, MPI.TAG_UB)
expect(world.Get_attr(MPI.TAG_UB) >= 32767, "it is as before")

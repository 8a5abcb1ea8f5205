# MPI_Comm_get_attr: a key must have been created, MPI_ERR_KEYVAL [MPI-5.0 §7.7.2]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
from commsplit import expect_error

world = MPI.COMM_WORLD
expect_error(MPI.ERR_KEYVAL, world.Get_attr, MPI.KEYVAL_INVALID)
expect_error(MPI.ERR_KEYVAL, world.Set_attr, MPI.KEYVAL_INVALID, 1)
expect_error(MPI.ERR_KEYVAL, world.Delete_attr, MPI.KEYVAL_INVALID)
expect_error(MPI.ERR_KEYVAL, MPI.Comm.Free_keyval, MPI.KEYVAL_INVALID)

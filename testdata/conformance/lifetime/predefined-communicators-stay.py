# MPI_Comm_free: MPI_COMM_WORLD and MPI_COMM_SELF cannot be freed, MPI_ERR_COMM [MPI-5.0 §7.4.3]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
from commsplit import expect, expect_error

world = MPI.COMM_WORLD
expect_error(MPI.ERR_COMM, world.Free)
expect_error(MPI.ERR_COMM, MPI.COMM_SELF.Free)
expect(world.allreduce(1) == 2, "the world is still there")

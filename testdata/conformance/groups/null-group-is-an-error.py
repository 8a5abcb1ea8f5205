# MPI_Group_size: MPI_GROUP_NULL is not a group: not in any group procedure, MPI_ERR_GROUP [MPI-5.0 §7.3.1]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
from commsplit import expect_error

world = MPI.COMM_WORLD
everybody = world.Get_group()
nothing = MPI.GROUP_NULL
expect_error(MPI.ERR_GROUP, nothing.Get_size)
expect_error(MPI.ERR_GROUP, nothing.Get_rank)
expect_error(MPI.ERR_GROUP, MPI.Group.Compare, everybody, nothing)
expect_error(MPI.ERR_GROUP, MPI.Group.Union, nothing, everybody)
expect_error(MPI.ERR_GROUP, nothing.Incl, [0])
expect_error(MPI.ERR_GROUP, nothing.Free)

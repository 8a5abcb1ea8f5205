# MPI_Comm_split_type: HW_GUIDED, all must provide the same value of the key, MPI_ERR_ARG [MPI-5.0 §7.4.2]
# commsplit: -n 4 --topo "pack:2 core:2"
from mpi4py import MPI
from commsplit import expect_error

world = MPI.COMM_WORLD
me = world.Get_rank()
info = MPI.Info.Create()
info.Set("mpi_hw_resource_type", "hwloc://Package" if me == 0 else "hwloc://Core")
expect_error(MPI.ERR_ARG, world.Split_type, MPI.COMM_TYPE_HW_GUIDED, 0, info)

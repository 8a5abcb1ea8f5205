# All processes must provide the same value for mpi_hw_resource_type [MPI-5.0 §7.4.2]
# commsplit: -n 4 --topo "pack:2 core:2"
from mpi4py import MPI
from commsplit import expect_error, expect_parts, note, world

note("Ranks 0 and 1 ask for packages, ranks 2 and 3 for cores: an error.")
info = MPI.Info.Create()
info.Set("mpi_hw_resource_type", "hwloc://Package" if world.Get_rank() < 2 else "hwloc://Core")
expect_error(MPI.ERR_ARG, world.Split_type, MPI.COMM_TYPE_HW_GUIDED, 0, info)
expect_error(MPI.ERR_ARG, world.Split_type, MPI.COMM_TYPE_RESOURCE_GUIDED, 0, info)

note("A process that wants no communicator supplies MPI_UNDEFINED and no value.")
info.Set("mpi_hw_resource_type", "hwloc://Package")
me = world.Get_rank()
some = world.Split_type(MPI.UNDEFINED if me == 1 else MPI.COMM_TYPE_HW_GUIDED, 0, MPI.INFO_NULL if me == 1 else info)
expect_parts(some, [[0], [2, 3]])

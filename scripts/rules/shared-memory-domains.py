# MPI_COMM_TYPE_SHARED: a communicator for each shared memory domain, here a host [MPI-5.0 §7.4.2]
# commsplit: -n 6 --topo "machine:3 core:2" --map-by machine
from mpi4py import MPI
from commsplit import expect_parts, note, world

note("Three hosts, on which the ranks are placed in turn. The key reverses each part.")
me = world.Get_rank()
expect_parts(world.Split_type(MPI.COMM_TYPE_SHARED, me), [[0, 3], [1, 4], [2, 5]])
expect_parts(world.Split_type(MPI.COMM_TYPE_SHARED, -me), [[3, 0], [4, 1], [5, 2]])

note('The info value "mpi_shared_memory" is reserved: with it, the guided types do the same.')
info = MPI.Info.Create()
info.Set("mpi_hw_resource_type", "mpi_shared_memory")
expect_parts(world.Split_type(MPI.COMM_TYPE_HW_GUIDED, me, info), [[0, 3], [1, 4], [2, 5]])
expect_parts(world.Split_type(MPI.COMM_TYPE_RESOURCE_GUIDED, me, info), [[0, 3], [1, 4], [2, 5]])

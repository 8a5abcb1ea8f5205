# MPI_Comm_split_type: two different split types in one call are an error [MPI-5.0 §7.4.2]
# commsplit: -n 4 --topo "pack:2 core:2"
from mpi4py import MPI
from commsplit import expect_error, expect_parts, note, world

note("Ranks 0 and 1 ask for shared memory, ranks 2 and 3 for HW_UNGUIDED.")
me = world.Get_rank()
expect_error(MPI.ERR_ARG, world.Split_type, MPI.COMM_TYPE_SHARED if me < 2 else MPI.COMM_TYPE_HW_UNGUIDED, 0)

note("Each type alone is allowed.")
expect_parts(world.Split_type(MPI.COMM_TYPE_SHARED, 0), [[0, 1, 2, 3]])
expect_parts(world.Split_type(MPI.COMM_TYPE_HW_UNGUIDED, 0), [[0, 1], [2, 3]])

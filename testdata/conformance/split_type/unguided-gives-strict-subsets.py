# MPI_Comm_split_type: HW_UNGUIDED, each newcomm is a strict subset in one hardware instance [MPI-5.0 §7.4.2]
# commsplit: -n 4 --topo "pack:2 core:2"
from mpi4py import MPI
from commsplit import expect_parts

world = MPI.COMM_WORLD
me = world.Get_rank()
comm = world.Split_type(MPI.COMM_TYPE_HW_UNGUIDED, me)
expect_parts(comm, [[0, 1], [2, 3]])
expect_parts(comm.Split_type(MPI.COMM_TYPE_HW_UNGUIDED, me), [[0], [1], [2], [3]])

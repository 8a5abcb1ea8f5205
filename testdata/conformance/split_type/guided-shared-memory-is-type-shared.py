# MPI_Comm_split_type: HW_GUIDED with mpi_shared_memory is MPI_COMM_TYPE_SHARED [MPI-5.0 §7.4.2]
# commsplit: -n 6 --topo "machine:2 core:3"
from mpi4py import MPI
from commsplit import expect, expect_parts

world = MPI.COMM_WORLD
me = world.Get_rank()
info = MPI.Info.Create()
info.Set("mpi_hw_resource_type", "mpi_shared_memory")
guided = world.Split_type(MPI.COMM_TYPE_HW_GUIDED, -me, info)
expect_parts(guided, [[2, 1, 0], [5, 4, 3]])
shared = world.Split_type(MPI.COMM_TYPE_SHARED, -me)
expect(MPI.Comm.Compare(guided, shared) == MPI.CONGRUENT, "the same partition")

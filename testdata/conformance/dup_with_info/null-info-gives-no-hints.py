# MPI_Comm_dup_with_info: with MPI_INFO_NULL there are no hints [MPI-5.0 §7.4.2]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
from commsplit import expect, expect_parts

world = MPI.COMM_WORLD
info = MPI.Info.Create()
info.Set("mpi_assert_exact_length", "true")
hinted = world.Dup_with_info(info)
copy = hinted.Dup_with_info(MPI.INFO_NULL)
expect_parts(copy, [[0, 1]])
expect(copy.Get_info().Get("mpi_assert_exact_length") != "true", "those of the original stay there")

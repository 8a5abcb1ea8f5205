# MPI_Comm_dup_with_info: the hints of info are associated with newcomm [MPI-5.0 §7.4.2]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
from commsplit import expect

world = MPI.COMM_WORLD
info = MPI.Info.Create()
info.Set("mpi_assert_no_any_tag", "true")
copy = world.Dup_with_info(info)
expect(copy.Get_info().Get("mpi_assert_no_any_tag") == "true", "the hint given")

info.Set("mpi_assert_no_any_tag", "false")
info.Set("mpi_assert_no_any_source", "true")
again = copy.Dup_with_info(info)
expect(again.Get_info().Get("mpi_assert_no_any_tag") != "true", "not the hint of the original")
expect(again.Get_info().Get("mpi_assert_no_any_source") == "true", "the hint given")
expect(copy.Get_info().Get("mpi_assert_no_any_tag") == "true", "the first duplicate is as it was")

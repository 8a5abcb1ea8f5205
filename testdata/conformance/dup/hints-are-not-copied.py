# MPI_Comm_dup: info hints do not propagate (since MPI-4.0) [MPI-5.0 §7.4.2]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
from commsplit import expect

world = MPI.COMM_WORLD
info = MPI.Info.Create()
info.Set("mpi_assert_no_any_tag", "true")
hinted = world.Dup_with_info(info)
expect(hinted.Get_info().Get("mpi_assert_no_any_tag") == "true", "the original has the hint")
expect(hinted.Dup().Get_info().Get("mpi_assert_no_any_tag") != "true", "the duplicate has not")

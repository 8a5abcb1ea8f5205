# MPI_Comm_idup_with_info: hints changed after the call will not be copied [MPI-5.0 §7.4.2]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
from commsplit import expect, expect_parts, note, world

note("The info object is changed, and even freed, before the operation completes.")
info = MPI.Info.Create()
info.Set("mpi_assert_no_any_tag", "true")
copy, request = world.Idup_with_info(info)
info.Set("mpi_assert_no_any_tag", "false")
info.Free()
request.Wait()
expect(copy.Get_info().Get("mpi_assert_no_any_tag") == "true", "the hint at the time of the call")
expect_parts(copy, [[0, 1]])

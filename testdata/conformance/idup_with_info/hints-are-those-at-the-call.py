# MPI_Comm_idup_with_info: hints changed after the call do not reach newcomm [MPI-5.0 §7.4.2]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
from commsplit import expect

world = MPI.COMM_WORLD
info = MPI.Info.Create()
info.Set("mpi_assert_no_any_tag", "true")
copy, request = world.Idup_with_info(info)
info.Set("mpi_assert_no_any_tag", "false")
info.Set("mpi_assert_no_any_source", "true")
info.Free()
request.Wait()
hints = copy.Get_info()
expect(hints.Get("mpi_assert_no_any_tag") == "true", "as MPI_Comm_dup_with_info at the call")
expect(hints.Get("mpi_assert_no_any_source") != "true", "set too late")

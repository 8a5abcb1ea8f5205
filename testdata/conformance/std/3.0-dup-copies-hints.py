# MPI_Comm_dup: before MPI-4.0 info hints are copied [MPI-3.0 §6.4.2]
# commsplit: -n 2 --topo core:2 --std 3.0
from mpi4py import MPI
from commsplit import expect

world = MPI.COMM_WORLD
info = MPI.Info.Create()
info.Set("mpi_assert_no_any_tag", "true")
hinted = world.Dup_with_info(info)
expect(hinted.Dup().Get_info().Get("mpi_assert_no_any_tag") == "true", "copied")

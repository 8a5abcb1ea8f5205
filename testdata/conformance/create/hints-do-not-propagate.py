# MPI_Comm_create: info hints do not propagate [MPI-5.0 §7.4.4]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
from commsplit import expect

world = MPI.COMM_WORLD
info = MPI.Info.Create()
info.Set("mpi_assert_no_any_tag", "true")
hinted = world.Dup_with_info(info)
comm = hinted.Create(hinted.Get_group())
expect(comm.Get_info().Get("mpi_assert_no_any_tag") != "true", "no hint")

# MPI_Comm_set_info: associates hints, which MPI_Comm_get_info gives in a new info object [MPI-5.0 §7.4.4]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
from commsplit import expect

world = MPI.COMM_WORLD
me = world.Get_rank()
part = world.Split(0, me)
info = MPI.Info.Create()
info.Set("mpi_assert_no_any_source", "true")
part.Set_info(info)
info.Free()
hints = part.Get_info()
expect(hints.Get("mpi_assert_no_any_source") == "true", "the hint")
hints.Set("mpi_assert_no_any_source", "false")
expect(part.Get_info().Get("mpi_assert_no_any_source") == "true", "the object given is the caller's own")

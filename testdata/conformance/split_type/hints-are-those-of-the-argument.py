# MPI_Comm_split_type: newcomm has the hints of info, not those of comm [MPI-5.0 §7.4.4]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
from commsplit import expect

world = MPI.COMM_WORLD
given = MPI.Info.Create()
given.Set("mpi_assert_no_any_source", "true")
old = MPI.Info.Create()
old.Set("mpi_assert_no_any_tag", "true")
comm = world.Dup_with_info(old).Split_type(MPI.COMM_TYPE_SHARED, 0, given)
expect(comm.Get_info().Get("mpi_assert_no_any_source") == "true", "the hint given")
expect(comm.Get_info().Get("mpi_assert_no_any_tag") != "true", "not that of the parent")

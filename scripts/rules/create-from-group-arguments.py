# MPI_Comm_create_from_group: the new communicator gets the hints and the error handler given [MPI-5.0 §7.4.2]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
from commsplit import expect, expect_error, expect_parts, note

session = MPI.Session.Init()
group = session.Create_group("mpi://WORLD")

note("There is no parent to inherit hints and handler from, so both are arguments.")
info = MPI.Info.Create()
info.Set("mpi_assert_no_any_tag", "true")
made = MPI.Intracomm.Create_from_group(group, "org.example.all", info, MPI.ERRORS_RETURN)
expect(made.Get_info().Get("mpi_assert_no_any_tag") == "true", "the hint")
expect(made.Get_errhandler() == MPI.ERRORS_RETURN, "the error handler")
expect_parts(made, [[0, 1]])

note("A stringtag shall not exceed MPI_MAX_STRINGTAG_LEN characters, which is at least 63.")
expect(MPI.MAX_STRINGTAG_LEN >= 63, "the limit")
expect_parts(MPI.Intracomm.Create_from_group(group, "x" * 62), [[0, 1]])
expect_error(MPI.ERR_ARG, MPI.Intracomm.Create_from_group, group, "x" * (MPI.MAX_STRINGTAG_LEN + 1))

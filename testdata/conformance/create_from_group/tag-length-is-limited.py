# MPI_Comm_create_from_group: stringtag has at most MPI_MAX_STRINGTAG_LEN characters, MPI_ERR_ARG [MPI-5.0 §7.4.2]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
from commsplit import expect, expect_error, expect_parts

session = MPI.Session.Init()
group = session.Create_group("mpi://WORLD")
expect(MPI.MAX_STRINGTAG_LEN >= 63, "it is at least 63")
# In C the null character at the end counts.
longest = MPI.Intracomm.Create_from_group(group, "x" * (MPI.MAX_STRINGTAG_LEN - 1))
expect_parts(longest, [[0, 1]])
expect_error(MPI.ERR_ARG, MPI.Intracomm.Create_from_group, group, "x" * (MPI.MAX_STRINGTAG_LEN + 1))

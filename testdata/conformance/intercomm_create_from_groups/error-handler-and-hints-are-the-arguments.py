# MPI_Intercomm_create_from_groups: errhandler and info are those of newintercomm [MPI-5.0 §7.6.2]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
from commsplit import expect, expect_parts

world = MPI.COMM_WORLD
me = world.Get_rank()
session = MPI.Session.Init()
everybody = session.Create_group("mpi://WORLD")
info = MPI.Info.Create()
info.Set("mpi_assert_no_any_tag", "true")
inter = MPI.Intercomm.Create_from_groups(
    everybody.Incl([me]), 0, everybody.Incl([1 - me]), 0, "org.example.pair", info, MPI.ERRORS_RETURN)
expect_parts(inter, [([0], [1])])
expect(inter.Get_errhandler() == MPI.ERRORS_RETURN, "the handler given")
expect(inter.Get_info().Get("mpi_assert_no_any_tag") == "true", "the hint given")

# MPI_Comm_dup_with_info: applies to intercommunicators, too [MPI-5.0 §7.4.2]
# commsplit: -n 6 --topo core:6
from mpi4py import MPI
from commsplit import expect, expect_parts

world = MPI.COMM_WORLD
me = world.Get_rank()
half = world.Split(me % 2, me)  # evens and odds
inter = half.Create_intercomm(0, world, 1 - me % 2)
info = MPI.Info.Create()
info.Set("mpi_assert_no_any_tag", "true")
copy = inter.Dup_with_info(info)
expect_parts(copy, [([0, 2, 4], [1, 3, 5])])
expect(copy.Get_info().Get("mpi_assert_no_any_tag") == "true", "the hint given")

# MPI_Intercomm_merge: info hints do not propagate [MPI-5.0 §7.4.4]
# commsplit: -n 4 --topo core:4
from mpi4py import MPI
from commsplit import expect

world = MPI.COMM_WORLD
me = world.Get_rank()
half = world.Split(me % 2, me)  # evens and odds
inter = half.Create_intercomm(0, world, 1 - me % 2)
info = MPI.Info.Create()
info.Set("mpi_assert_no_any_tag", "true")
both = inter.Dup_with_info(info).Merge(me % 2 == 1)
expect(both.Get_info().Get("mpi_assert_no_any_tag") != "true", "no hint")

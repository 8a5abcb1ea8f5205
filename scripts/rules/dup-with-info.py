# MPI_Comm_dup_with_info is MPI_Comm_dup with the hints of its argument [MPI-5.0 §7.4.2]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
from commsplit import expect, expect_parts, note, world

note("The hint that no receive uses MPI_ANY_TAG, for a duplicate.")
keyval = MPI.Comm.Create_keyval(copy_fn=True)
part = world.Split(0, 0)
part.Set_attr(keyval, 7)
info = MPI.Info.Create()
info.Set("mpi_assert_no_any_tag", "true")
strict = part.Dup_with_info(info)
expect(strict.Get_info().Get("mpi_assert_no_any_tag") == "true", "the hint given")

note("Otherwise it behaves exactly as MPI_Comm_dup, which copies no hints.")
expect_parts(strict, [[0, 1]])
expect(strict.Get_attr(keyval) == 7, "attributes are copied")
expect(strict.Dup().Get_info().Get("mpi_assert_no_any_tag") != "true", "hints are not")

# MPI_Comm_dup: the same group, topology, error handler and attributes, but a new context [MPI-5.0 §7.4.2]
# commsplit: -n 4 --topo core:4
from mpi4py import MPI
from commsplit import expect, expect_parts, note, world

me = world.Get_rank()
grid = world.Create_cart([2, 2], [True, False])
kept = MPI.Comm.Create_keyval(copy_fn=True)
changed = MPI.Comm.Create_keyval(copy_fn=lambda comm, keyval, value: value + 1)
dropped = MPI.Comm.Create_keyval()
for keyval in [kept, changed, dropped]:
    grid.Set_attr(keyval, 40)
grid.Set_errhandler(MPI.ERRORS_RETURN)
copy = grid.Dup()

note("The group and its order are the same, the context is not: the two are congruent, not identical.")
expect_parts(copy, [[0, 1, 2, 3]])
expect(MPI.Comm.Compare(grid, copy) == MPI.CONGRUENT, "congruent")

note("The topology and the error handler are copied.")
expect(copy.Get_topology() == MPI.CART, "a Cartesian topology")
expect(list(copy.Get_coords(copy.Get_rank())) == [me // 2, me % 2], "the same place in it")
expect(copy.Get_errhandler() == MPI.ERRORS_RETURN, "the same error handler")

note("The copy callback decides for each attribute; it may also drop the attribute.")
expect(copy.Get_attr(kept) == 40, "copied")
expect(copy.Get_attr(changed) == 41, "with the value of the callback")
expect(copy.Get_attr(dropped) == None, "left out")

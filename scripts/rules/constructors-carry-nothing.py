# MPI_Comm_create and MPI_Comm_split carry over no attributes and no virtual topology [MPI-5.0 §7.4.2]
# commsplit: -n 4 --topo core:4
from mpi4py import MPI
from commsplit import expect, expect_parts, note, world

note("A grid with an attribute, whose copy callback would copy it.")
grid = world.Create_cart([2, 2])
keyval = MPI.Comm.Create_keyval(copy_fn=True)
grid.Set_attr(keyval, 1)
expect(grid.Dup().Get_attr(keyval) == 1, "MPI_Comm_dup copies it")

note("The other constructors do not copy it.")
for made in [grid.Create(grid.Get_group()), grid.Split(0, 0), grid.Split_type(MPI.COMM_TYPE_SHARED, 0)]:
    expect(made.Get_attr(keyval) == None, "no cached information")
    expect(made.Get_topology() == MPI.UNDEFINED, "no virtual topology")
    expect_parts(made, [[0, 1, 2, 3]])

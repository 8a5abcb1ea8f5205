# MPI_Comm_split is for who knows only the color; the members are discovered [MPI-5.0 §7.4.2]
# commsplit: -n 6 --topo core:6
from mpi4py import MPI
from commsplit import expect, expect_parts, note, world

note("Each rank knows the material that it works on, and not who else does.")
material = ["steel", "air", "steel", "water", "air", "steel"][world.Get_rank()]
color = {"air": 0, "steel": 1, "water": 2}[material]
same = world.Split(color, 0)
expect_parts(same, [[0, 2, 5], [1, 4], [3]])
expect(same.allgather(material) == [material] * same.Get_size(), "all have the same material")

note("MPI_Comm_create would need the list of members on every rank: it is there now, to be read.")
found = MPI.Group.Translate_ranks(same.Get_group(), list(range(same.Get_size())), world.Get_group())
expect_parts(world.Create(world.Get_group().Incl(list(found))), [[0, 2, 5], [1, 4], [3]])

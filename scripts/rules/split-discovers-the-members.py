# MPI_Comm_split needs only the color; it finds the members [MPI-5.0 §7.4.2]
# commsplit: -n 6 --topo core:6
from mpi4py import MPI
from commsplit import expect, expect_parts, note, world

note("Each rank knows its own material, but not which other ranks have the same.")
material = ["steel", "air", "steel", "water", "air", "steel"][world.Get_rank()]
color = {"air": 0, "steel": 1, "water": 2}[material]
same = world.Split(color, 0)
expect_parts(same, [[0, 2, 5], [1, 4], [3]])
expect(same.allgather(material) == [material] * same.Get_size(), "all have the same material")

note("MPI_Comm_create would need the list of members on every rank; after the split, every rank can read it.")
found = MPI.Group.Translate_ranks(same.Get_group(), list(range(same.Get_size())), world.Get_group())
expect_parts(world.Create(world.Get_group().Incl(list(found))), [[0, 2, 5], [1, 4], [3]])

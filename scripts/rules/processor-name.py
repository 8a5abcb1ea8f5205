# MPI_Get_processor_name: from it, a piece of hardware can be identified [MPI-5.0 §9.1.2]
# commsplit: -n 4 --topo "machine:2 core:2"
from mpi4py import MPI
from commsplit import expect, expect_parts, note, world

note("Two hosts have two names; processes on one host have the same name.")
name = MPI.Get_processor_name()
names = world.allgather(name)
expect(names[0] == names[1] and names[2] == names[3], "the same on one host")
expect(names[0] != names[2], "another one on the other")

note("So the names can be colors, as programs did before there was MPI_COMM_TYPE_SHARED.")
expect_parts(world.Split(names.index(name), 0), [[0, 1], [2, 3]])

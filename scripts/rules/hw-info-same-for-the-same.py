# MPI_Get_hw_resource_info: different for different restrictions, else identical pairs [MPI-5.0 §9.1.2]
# commsplit: -n 4 --topo "pack:2 core:2" --bind 0,0,2-3,2-3
from mpi4py import MPI
from commsplit import expect, note, world

note("Ranks 0 and 1 are on core 0, ranks 2 and 3 on two cores of the second package.")
pairs = world.allgather(sorted(MPI.Get_hw_resource_info().items()))
expect(pairs[0] == pairs[1], "the same hardware, the same pairs")
expect(pairs[2] == pairs[3], "the same hardware, the same pairs")
expect(pairs[0] != pairs[2], "one core, and two")

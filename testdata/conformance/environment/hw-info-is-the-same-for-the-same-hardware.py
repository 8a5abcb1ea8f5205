# MPI_Get_hw_resource_info: processes restricted alike get identical pairs, others different ones [MPI-5.0 §9.1.2]
# commsplit: -n 4 --topo "pack:2 core:2" --bind 0,0,2-3,2-3
from mpi4py import MPI
from commsplit import expect

world = MPI.COMM_WORLD
pairs = world.allgather(sorted(MPI.Get_hw_resource_info().items()))
expect(pairs[0] == pairs[1] and pairs[2] == pairs[3], "alike")
expect(pairs[0] != pairs[2], "one core, and two of them")

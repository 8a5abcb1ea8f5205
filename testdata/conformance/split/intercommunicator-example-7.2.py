# MPI_Comm_split: Example 7.2, each server with its clients [MPI-5.0 §7.4.2]
# commsplit: -n 6 --topo core:6
from mpi4py import MPI
from commsplit import expect_parts

world = MPI.COMM_WORLD
me = world.Get_rank()
# Servers are 0 and 1 of the world, clients the other four.
server = me < 2
local = world.Split(0 if server else 1, me)
multiple = local.Create_intercomm(0, world, 2 if server else 0)
rank = multiple.Get_rank()
if server:
    single = multiple.Split(rank, 0)
else:
    num_servers = multiple.Get_remote_size()
    single = multiple.Split(rank % num_servers, rank)
# Clients 2 3 4 5 have the colors 0 1 0 1.
expect_parts(single, [([0], [2, 4]), ([1], [3, 5])])

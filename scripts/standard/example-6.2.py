# Example 6.2: parallel client-server model, a split of an intercommunicator by MPI 2.2's code [MPI-2.2 §6.4.2]
# commsplit: -n 7 --topo core:7 --std 2.2
from mpi4py import MPI
from commsplit import expect, expect_parts, note, world

note("The example of MPI 2.2, which became Example 7.2. Ranks 0-4 are clients, 5 and 6 are servers.")

is_client = world.Get_rank() < 5
local_comm = world.Split(0 if is_client else 1, 0)
multiple_server_comm = local_comm.Create_intercomm(0, world, 5 if is_client else 0, 0)

rank = multiple_server_comm.Get_rank()
if is_client:
    # Client code: the color is one of the servers, in turn
    num_servers = multiple_server_comm.Get_remote_size()
    color = rank % num_servers
    single_server_comm = multiple_server_comm.Split(color, rank)
else:
    # Server code: a single server for each group of clients
    single_server_comm = multiple_server_comm.Split(rank, 0)

expect_parts(single_server_comm, [([0, 2, 4], [5]), ([1, 3], [6])])
expect(single_server_comm.Get_remote_size() == (1 if is_client else 8 - world.Get_rank()), "one server; three clients, or two")

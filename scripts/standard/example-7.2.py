# Example 7.2: clients, each assigned to one server of a pool, by a split of an intercommunicator [MPI-5.0 §7.4.2]
# commsplit: -n 8 --topo "pack:2 core:4"
from mpi4py import MPI
from commsplit import expect, expect_parts, note, world

note("Five clients, ranks 0-4, are assigned to a pool of three servers, ranks 5-7.")
note("At the end server 2 passes MPI_UNDEFINED: then the color of client 2 is on one side only.")
# The intercommunicator of clients (ranks 0-4) and servers (ranks 5-7).
is_client = world.Get_rank() < 5
local_comm = world.Split(0 if is_client else 1, world.Get_rank())
multiple_server_comm = local_comm.Create_intercomm(0, world, 5 if is_client else 0, 0)

rank = multiple_server_comm.Get_rank()
if is_client:
    # Client code: find out the number of servers available, and determine my color.
    num_servers = multiple_server_comm.Get_remote_size()
    color = rank % num_servers
    single_server_comm = multiple_server_comm.Split(color, rank)
else:
    # Server code: split the intercommunicator for a single server per group of clients.
    single_server_comm = multiple_server_comm.Split(rank, 0)

expect_parts(single_server_comm, [([0, 3], [5]), ([1, 4], [6]), ([2], [7])])

# Each client asks its server, which is rank 0 of the remote group.
if is_client:
    single_server_comm.send(world.Get_rank(), dest=0)
    answer = single_server_comm.recv(source=0)
    expect(answer == [5, 6, 7][rank % 3], "my own server answers")
else:
    for client in range(single_server_comm.Get_remote_size()):
        single_server_comm.recv(source=client)
        single_server_comm.send(world.Get_rank(), dest=client)

# A color that only one side passes makes no communicator: without server 2, client 2 gets MPI_COMM_NULL.
if is_client:
    fewer = multiple_server_comm.Split(rank % 3, rank)
else:
    fewer = multiple_server_comm.Split(rank if rank < 2 else MPI.UNDEFINED, 0)
expect_parts(fewer, [([0, 3], [5]), ([1, 4], [6])])

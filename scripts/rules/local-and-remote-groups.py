# Left and right are the same for all processes; local and remote depend on the process [MPI-5.0 §7.4.2]
# commsplit: -n 5 --topo core:5
from mpi4py import MPI
from commsplit import expect, expect_parts, note, world

note("Ranks 0-2 are one group of an intercommunicator, 3 and 4 the other.")
me = world.Get_rank()
first = me < 3
side = world.Split(0 if first else 1, me)
inter = side.Create_intercomm(0, world, 3 if first else 0, 0)
expect_parts(inter, [([0, 1, 2], [3, 4])])

note("A process calls its own group the local group, and the other one the remote group.")
everybody = world.Get_group()
local = MPI.Group.Translate_ranks(inter.Get_group(), list(range(inter.Get_size())), everybody)
remote = MPI.Group.Translate_ranks(inter.Get_remote_group(), list(range(inter.Get_remote_size())), everybody)
expect(list(local) == ([0, 1, 2] if first else [3, 4]), "the local group is the own one")
expect(list(remote) == ([3, 4] if first else [0, 1, 2]), "the remote group is the other one")

# MPI_Comm_split: the group is partitioned: the parts are disjoint, and every process is in one [MPI-5.0 §7.4.2]
# commsplit: -n 6 --topo core:6
from mpi4py import MPI
from commsplit import expect, expect_parts

world = MPI.COMM_WORLD
me = world.Get_rank()
comm = world.Split((me * me) % 4, 0)
# Squares mod 4 are 0 1 0 1 0 1.
expect_parts(comm, [[0, 2, 4], [1, 3, 5]])
firsts = comm.bcast(me, root=0)
sizes = world.allgather([firsts, comm.Get_size()])
expect(sorted(sizes) == [[0, 3], [0, 3], [0, 3], [1, 3], [1, 3], [1, 3]], "two parts, six processes")

# MPI_Comm_create_group: disjoint groups may use the same communicator and tag at once [MPI-5.0 §7.4.2]
# commsplit: -n 6 --topo core:6
from mpi4py import MPI
from commsplit import expect_parts

world = MPI.COMM_WORLD
me = world.Get_rank()
everybody = world.Get_group()
mine = everybody.Incl([4, 2, 0] if me % 2 == 0 else [1, 3, 5])
expect_parts(world.Create_group(mine, 9), [[4, 2, 0], [1, 3, 5]])

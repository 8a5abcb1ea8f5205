# MPI_Comm_split_type: HW_UNGUIDED goes by what processes utilize at the call [MPI-5.0 §7.4.2]
# commsplit: -n 4 --topo "pack:2 core:4" --bind 0,1,2,3
from mpi4py import MPI
from commsplit import bind, expect_parts

world = MPI.COMM_WORLD
# All processes are in one package, which is not a strict subset: the cores are the first that are.
expect_parts(world.Split_type(MPI.COMM_TYPE_HW_UNGUIDED), [[0], [1], [2], [3]])
bind("2-3", "6")
expect_parts(world.Split_type(MPI.COMM_TYPE_HW_UNGUIDED), [[0, 1], [2, 3]])

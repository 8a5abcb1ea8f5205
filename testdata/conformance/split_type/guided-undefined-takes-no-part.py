# MPI_Comm_split_type: with MPI_UNDEFINED a process is left out, whatever the others ask for [MPI-5.0 §7.4.2]
# commsplit: -n 4 --topo "pack:2 core:2"
from mpi4py import MPI
from commsplit import expect_parts

world = MPI.COMM_WORLD
me = world.Get_rank()
info = MPI.Info.Create()
info.Set("mpi_hw_resource_type", "hwloc://Package")
if me == 0:
    comm = world.Split_type(MPI.UNDEFINED)
else:
    comm = world.Split_type(MPI.COMM_TYPE_HW_GUIDED, 0, info)
expect_parts(comm, [[1], [2, 3]])

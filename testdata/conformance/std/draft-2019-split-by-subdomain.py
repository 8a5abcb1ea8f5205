# MPI_Comm_split_type: MPI_COMM_TYPE_HW_SUBDOMAIN splits by the value of mpi_hw_domain_type [proposal of 2019]
# commsplit: -n 4 --topo "pack:2 l3:1 core:2" --std draft2019
from mpi4py import MPI
from commsplit import expect_parts

world = MPI.COMM_WORLD
info = MPI.Info.Create()
MPI.Get_hwsubdomain_names(world, info)
info.Set("mpi_hw_domain_type", "L3Cache")
hwcomm = world.Split_type(MPI.COMM_TYPE_HW_SUBDOMAIN, world.Get_rank(), info)
expect_parts(hwcomm, [[0, 1], [2, 3]])

# MPI_Comm_split_type: keys of MPI_Get_hw_resource_info serve as values of mpi_hw_resource_type [MPI-5.0 §9.1.2]
# commsplit: -n 4 --topo "pack:2 core:2"
from mpi4py import MPI
from commsplit import expect

world = MPI.COMM_WORLD
hw_info = MPI.Get_hw_resource_info()
for name in hw_info.keys():
    info = MPI.Info.Create()
    info.Set("mpi_hw_resource_type", name)
    comm = world.Split_type(MPI.COMM_TYPE_HW_GUIDED, 0, info)
    restricted = hw_info.Get(name) == "true"
    expect((comm != MPI.COMM_NULL) == restricted, name + ": a communicator for who is restricted to one instance")

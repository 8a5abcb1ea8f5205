# MPI_Get_hw_resource_info: keys have URI format; mpi:// is reserved for the standard [MPI-5.0 §9.1.2]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
from commsplit import expect

info = MPI.Get_hw_resource_info()
expect(info.Get_nkeys() > 0, "some resource types")
for key in info.keys():
    expect("://" in key and not key.startswith("mpi://"), "a provider and a name: " + key)

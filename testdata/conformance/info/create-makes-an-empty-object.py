# MPI_Info_create: a new info object without any pair [MPI-5.0 §10]
# commsplit: -n 1 --topo core:1
from mpi4py import MPI
from commsplit import expect

info = MPI.Info.Create()
other = MPI.Info.Create()
expect(info != MPI.INFO_NULL and info != other, "a new object each time")
other.Set("key", "value")
expect(info.Get_nkeys() == 0, "it stays empty")

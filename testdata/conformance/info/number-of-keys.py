# MPI_Info_get_nkeys: the number of keys now in info [MPI-5.0 §10]
# commsplit: -n 1 --topo core:1
from mpi4py import MPI
from commsplit import expect

info = MPI.Info.Create()
counts = []
for key in ["a", "b", "a"]:
    info.Set(key, "x")
    counts.append(info.Get_nkeys())
info.Delete("a")
counts.append(info.Get_nkeys())
expect(counts == [1, 2, 2, 1], "a key counts once")

# MPI_Info_dup: a new object with the same pairs in the same order [MPI-5.0 §10]
# commsplit: -n 1 --topo core:1
from mpi4py import MPI
from commsplit import expect

info = MPI.Info.Create()
info.Set("b", "2")
info.Set("a", "1")
copy = info.Dup()
expect(copy.Get_nthkey(0) == info.Get_nthkey(0) and copy.Get("a") == "1" and copy.Get("b") == "2", "the same")
copy.Set("a", "one")
info.Delete("b")
expect(info.Get("a") == "1" and copy.Get("b") == "2", "a change of one does not reach the other")

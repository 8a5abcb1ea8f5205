# MPI_Info_set: adds a pair, or overrides the value of a key that exists [MPI-5.0 §10]
# commsplit: -n 1 --topo core:1
from mpi4py import MPI
from commsplit import expect

info = MPI.Info.Create()
expect(info.Get_nkeys() == 0, "a new info object is empty")
info.Set("first", "1")
info.Set("second", "2")
info.Set("first", "one")
expect(info.Get("first") == "one" and info.Get("second") == "2", "the last value of each")
expect(info.Get_nkeys() == 2, "two pairs")
expect(info.Get("third") == None, "a key that is not there")

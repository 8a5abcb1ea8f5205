# MPI_Info_get_string: gives the value of a key; a key that is not there is no error [MPI-5.0 §10]
# commsplit: -n 1 --topo core:1
from mpi4py import MPI
from commsplit import expect

info = MPI.Info.Create()
info.Set("Key", "Value with blanks")
expect(info.Get("Key") == "Value with blanks", "keys and values are kept as they are")
expect(info.Get("key") == None, "the case of letters counts")

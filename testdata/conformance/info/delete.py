# MPI_Info_delete: removes a pair; a key that is not there is an error, MPI_ERR_INFO_NOKEY [MPI-5.0 §10]
# commsplit: -n 1 --topo core:1
from mpi4py import MPI
from commsplit import expect, expect_error

info = MPI.Info.Create()
info.Set("key", "value")
info.Delete("key")
expect(info.Get_nkeys() == 0 and info.Get("key") == None, "gone")
expect_error(MPI.ERR_INFO_NOKEY, info.Delete, "key")

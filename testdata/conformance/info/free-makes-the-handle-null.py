# MPI_Info_free: the handle becomes MPI_INFO_NULL, which no info procedure takes, MPI_ERR_INFO [MPI-5.0 §10]
# commsplit: -n 1 --topo core:1
from mpi4py import MPI
from commsplit import expect, expect_error

info = MPI.Info.Create()
info.Free()
expect(info == MPI.INFO_NULL, "the handle is null")
expect_error(MPI.ERR_INFO, info.Set, "key", "value")
expect_error(MPI.ERR_INFO, MPI.INFO_NULL.Get_nkeys)
expect_error(MPI.ERR_INFO, MPI.INFO_NULL.Dup)

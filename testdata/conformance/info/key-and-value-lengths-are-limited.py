# MPI_Info_set: too long a key is MPI_ERR_INFO_KEY, too long a value MPI_ERR_INFO_VALUE [MPI-5.0 §10]
# commsplit: -n 1 --topo core:1
from mpi4py import MPI
from commsplit import expect_error

info = MPI.Info.Create()
expect_error(MPI.ERR_INFO_KEY, info.Set, "k" * 10000, "value")
expect_error(MPI.ERR_INFO_KEY, info.Set, "", "value")
expect_error(MPI.ERR_INFO_VALUE, info.Set, "key", "v" * 100000)

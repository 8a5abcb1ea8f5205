# MPI_Info_get_nthkey: n must be from 0 to nkeys - 1, MPI_ERR_ARG [MPI-5.0 §10]
# commsplit: -n 1 --topo core:1
from mpi4py import MPI
from commsplit import expect_error

info = MPI.Info.Create()
info.Set("only", "one")
expect_error(MPI.ERR_ARG, info.Get_nthkey, 1)
expect_error(MPI.ERR_ARG, info.Get_nthkey, -1)

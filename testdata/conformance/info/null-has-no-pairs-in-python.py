# MPI_INFO_NULL: as a mapping of Python it is empty; the calls of MPI refuse it, MPI_ERR_INFO [MPI-5.0 §10]
# commsplit: -n 1 --topo core:1
from mpi4py import MPI
from commsplit import expect, expect_error

null = MPI.INFO_NULL
expect(len(null) == 0)
expect("k" not in null)
expect(null.get("k") == None)
expect(null.get("k", "v") == "v")
expect(list(null.keys()) + list(null.values()) + list(null.items()) == [])
expect_error(MPI.ERR_INFO, null.Get_nkeys)
expect_error(MPI.ERR_INFO, null.Get, "k")

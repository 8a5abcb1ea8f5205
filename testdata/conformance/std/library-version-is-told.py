# MPI_Get_library_version: a description of the library, not empty [MPI-5.0 §9.1.1]
# commsplit: -n 1 --topo core:1
from mpi4py import MPI
from commsplit import expect

expect(len(MPI.Get_library_version()) > 0, "a text")
expect(MPI.Get_version() >= (3, 0), "the calls of this suite need MPI-3.0 at least")

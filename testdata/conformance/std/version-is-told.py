# MPI_Get_version: version and subversion of the standard in use [MPI-5.0 §9.1.1]
# commsplit: -n 1 --topo core:1 --std 4.1
from mpi4py import MPI
from commsplit import expect

version, subversion = MPI.Get_version()
expect((version, subversion) == (4, 1), "the one asked for")

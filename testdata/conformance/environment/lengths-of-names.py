# MPI_Get_processor_name: names have at most the lengths that the constants tell [MPI-5.0 §9.1.2]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
from commsplit import expect

world = MPI.COMM_WORLD
me = world.Get_rank()
expect(len(MPI.Get_processor_name()) < MPI.MAX_PROCESSOR_NAME)
expect(len(MPI.Get_library_version()) < MPI.MAX_LIBRARY_VERSION_STRING)
expect(MPI.MAX_OBJECT_NAME >= 64)
expect(MPI.MAX_INFO_KEY >= 32)

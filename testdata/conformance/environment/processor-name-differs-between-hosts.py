# MPI_Get_processor_name: it must be possible to tell hosts apart by it [MPI-5.0 §9.1.2]
# commsplit: -n 4 --topo "machine:2 core:2"
from mpi4py import MPI
from commsplit import expect

world = MPI.COMM_WORLD
names = world.allgather(MPI.Get_processor_name())
expect(names[0] == names[1] and names[2] == names[3] and names[0] != names[2], "two hosts, two names")

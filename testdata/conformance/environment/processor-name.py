# MPI_Get_processor_name: identifies a piece of hardware: not empty, equal for processes on one host [MPI-5.0 §9.1.2]
# commsplit: -n 3 --topo core:3
from mpi4py import MPI
from commsplit import expect

world = MPI.COMM_WORLD
name = MPI.Get_processor_name()
expect(len(name) > 0, "not empty")
expect(world.allgather(name) == [name, name, name], "one host, one name")

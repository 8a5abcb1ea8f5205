# MPI_Comm_dup: a duplicate of the world has its predefined attributes, too [MPI-5.0 §7.4.2]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
from commsplit import expect

world = MPI.COMM_WORLD
copy = world.Dup()
expect(copy.Get_attr(MPI.TAG_UB) == world.Get_attr(MPI.TAG_UB), "associated key values are duplicated")

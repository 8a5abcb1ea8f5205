# MPI_Group_union: with the empty group it is a duplicate, which outlives its original [MPI-5.0 §7.3.2]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
from commsplit import expect

world = MPI.COMM_WORLD
me = world.Get_rank()
group = world.Get_group()
copy = group.Dup()
expect(MPI.Group.Compare(copy, group) == MPI.IDENT)
group.Free()
expect(copy.Get_size() == 2)
copy.Free()

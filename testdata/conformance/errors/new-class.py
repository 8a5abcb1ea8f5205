# MPI_Add_error_class: gives a class above those that there are, and MPI_LASTUSEDCODE grows [MPI-5.0 §9.5]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
from commsplit import expect

world = MPI.COMM_WORLD
me = world.Get_rank()
before = world.Get_attr(MPI.LASTUSEDCODE)
expect(before >= MPI.ERR_LASTCODE)
own = MPI.Add_error_class()
expect(own > MPI.ERR_LASTCODE)
expect(MPI.Get_error_class(own) == own)
expect(world.Get_attr(MPI.LASTUSEDCODE) >= own)

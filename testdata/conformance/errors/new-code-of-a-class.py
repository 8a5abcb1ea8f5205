# MPI_Add_error_code: the new code belongs to its class [MPI-5.0 §9.5]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
from commsplit import expect

world = MPI.COMM_WORLD
me = world.Get_rank()
own = MPI.Add_error_class()
code = MPI.Add_error_code(own)
expect(code != own)
expect(MPI.Get_error_class(code) == own)
other = MPI.Add_error_code(MPI.ERR_ARG)
expect(MPI.Get_error_class(other) == MPI.ERR_ARG)

# MPI_Remove_error_code: the code is none any more, its class stays [MPI-5.0 §9.5]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
from commsplit import expect, expect_error

world = MPI.COMM_WORLD
me = world.Get_rank()
own = MPI.Add_error_class()
code = MPI.Add_error_code(own)
MPI.Remove_error_code(code)
expect_error(MPI.ERR_ARG, MPI.Get_error_class, code)
expect(MPI.Get_error_class(own) == own)

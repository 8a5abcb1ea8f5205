# MPI_Remove_error_class: a class whose codes were removed can be removed, predefined ones cannot [MPI-5.0 §9.5]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
from commsplit import expect_error

world = MPI.COMM_WORLD
me = world.Get_rank()
own = MPI.Add_error_class()
code = MPI.Add_error_code(own)
expect_error(MPI.ERR_ARG, MPI.Remove_error_class, own)
MPI.Remove_error_code(code)
MPI.Remove_error_class(own)
expect_error(MPI.ERR_ARG, MPI.Get_error_class, own)
expect_error(MPI.ERR_ARG, MPI.Remove_error_class, MPI.ERR_ARG)

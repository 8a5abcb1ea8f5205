# MPI_Add_error_string: says what a new class or code means; before it, the text is empty [MPI-5.0 §9.5]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
from commsplit import expect

world = MPI.COMM_WORLD
me = world.Get_rank()
own = MPI.Add_error_class()
code = MPI.Add_error_code(own)
expect(MPI.Get_error_string(code) == "")
MPI.Add_error_string(own, "trouble")
MPI.Add_error_string(code, "big trouble")
MPI.Add_error_string(code, "the biggest trouble")
expect(MPI.Get_error_string(own) == "trouble")
expect(MPI.Get_error_string(code) == "the biggest trouble", "the last one counts")

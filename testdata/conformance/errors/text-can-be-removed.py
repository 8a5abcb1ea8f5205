# MPI_Remove_error_string: the text is empty again [MPI-5.0 §9.5]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
from commsplit import expect

world = MPI.COMM_WORLD
me = world.Get_rank()
own = MPI.Add_error_class()
MPI.Add_error_string(own, "trouble")
MPI.Remove_error_string(own)
expect(MPI.Get_error_string(own) == "")

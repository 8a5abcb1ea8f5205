# MPI_Comm_create_keyval: by default a value is neither copied nor is there anything to do at delete [MPI-5.0 §7.7.2]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
from commsplit import expect

world = MPI.COMM_WORLD
me = world.Get_rank()
key = MPI.Comm.Create_keyval()
part = world.Split(0, me)
part.Set_attr(key, me)
copy = part.Dup()
expect(copy.Get_attr(key) == None, "MPI_COMM_NULL_COPY_FN")
part.Free()
copy.Free()
expect(part == MPI.COMM_NULL, "MPI_COMM_NULL_DELETE_FN")

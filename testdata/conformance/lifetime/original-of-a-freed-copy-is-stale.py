# MPI_Comm_free: what is freed through a copy is gone for the handle that was copied, too [MPI-5.0 §7.4.3]
# commsplit: -n 2 --topo core:2
# ends: 3 the handle is a copy
from mpi4py import MPI

world = MPI.COMM_WORLD
me = world.Get_rank()
part = world.Split(0, me)
copy = MPI.Intracomm(part)
copy.Free()
if copy == MPI.COMM_NULL and part != MPI.COMM_NULL:
    part.Dup()

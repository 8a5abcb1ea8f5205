# MPI_Comm_free: only the handle that is passed becomes MPI_COMM_NULL; a copy stands for nothing [MPI-5.0 §7.4.3]
# commsplit: -n 2 --topo core:2
# ends: 3 the handle is a copy: the communicator was freed through another handle (copy-of-a-freed-communicator-is-stale.py:10)
from mpi4py import MPI

world = MPI.COMM_WORLD
me = world.Get_rank()
part = world.Split(0, me)
copy = MPI.Comm(part)
part.Free()
if part == MPI.COMM_NULL and copy != MPI.COMM_NULL:
    copy.Barrier()

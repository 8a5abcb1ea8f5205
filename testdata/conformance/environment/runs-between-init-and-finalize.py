# MPI_Get_processor_name: a program runs after MPI has begun and before it ends, and nobody has spawned it [MPI-5.0 §11.2]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
from commsplit import expect

world = MPI.COMM_WORLD
me = world.Get_rank()
expect(MPI.Is_initialized())
expect(not MPI.Is_finalized())
expect(MPI.Is_thread_main())
expect(MPI.Comm.Get_parent() == MPI.COMM_NULL)
expect(MPI.Wtick() > 0)

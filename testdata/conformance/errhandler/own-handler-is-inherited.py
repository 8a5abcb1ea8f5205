# MPI_Comm_create_errhandler: new communicators have the handler of the old one [MPI-5.0 §9.3]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
from commsplit import expect, expect_error

world = MPI.COMM_WORLD
me = world.Get_rank()
seen = []
own = MPI.Comm.Create_errhandler(lambda comm, code: seen.append(code))
part = world.Split(0, me)
part.Set_errhandler(own)
copy = part.Dup()
half = part.Split(me, 0)
expect_error(MPI.ERR_ARG, copy.Split, -1)
expect_error(MPI.ERR_ARG, half.Split, -1)
expect(len(seen) == 2)

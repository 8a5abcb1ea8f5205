# MPI_Comm_compare: a copy of a handle stands for the same communicator [MPI-5.0 §7.4.1]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
from commsplit import expect

world = MPI.COMM_WORLD
me = world.Get_rank()
part = world.Split(0, me)
copy = MPI.Comm(part)
expect(copy == part)
expect(MPI.Comm.Compare(copy, part) == MPI.IDENT)
expect(MPI.Intracomm(part) == part)
copy.Set_name("ours")
expect(part.Get_name() == "ours")
part.Free()

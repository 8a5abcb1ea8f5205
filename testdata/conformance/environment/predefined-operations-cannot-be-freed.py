# MPI_Op_free: predefined operations cannot be freed [MPI-5.0 §6.9.5]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
from commsplit import expect, expect_error

world = MPI.COMM_WORLD
me = world.Get_rank()
expect_error(MPI.ERR_OP, MPI.SUM.Free)
expect_error(MPI.ERR_OP, MPI.Op().Free)
expect(MPI.SUM.Is_commutative())
expect(MPI.SUM(2, 3) == 5)

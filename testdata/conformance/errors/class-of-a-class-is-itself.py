# MPI_Error_class: maps a class to itself [MPI-5.0 §9.4]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
from commsplit import expect

world = MPI.COMM_WORLD
me = world.Get_rank()
for code in [MPI.SUCCESS, MPI.ERR_ARG, MPI.ERR_COMM, MPI.ERR_UNKNOWN, MPI.ERR_INTERN, MPI.ERR_WIN, MPI.ERR_LASTCODE]:
    if code != MPI.ERR_LASTCODE:
        expect(MPI.Get_error_class(code) == code)
expect(MPI.SUCCESS == 0)
expect(MPI.ERR_UNKNOWN <= MPI.ERR_LASTCODE)

# Python without mpi4py, which is built for one library: MPICH by its functions of C. As leaks.py.
import ctypes

ctypes.CDLL("libmpich.so.12", ctypes.RTLD_GLOBAL)
mpi = ctypes.CDLL(None)
world = 0x44000000  # MPI_COMM_WORLD in MPICH's mpi.h


def exchange():
    comm = ctypes.c_int()
    mpi.MPI_Comm_dup(world, ctypes.byref(comm))
    return comm


def good():
    mpi.MPI_Comm_free(ctypes.byref(exchange()))


def bad():
    exchange()  # leak: Comm_dup


mpi.MPI_Init(None, None)
for _ in range(15):
    good()
    bad()
mpi.MPI_Finalize()

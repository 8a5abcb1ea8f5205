# MPI_Buffer_detach: the buffer is the program's again, and another one can be attached [MPI-5.0 §3.6]
# commsplit: -n 1 --topo core:1
from mpi4py import MPI
import numpy as np
from commsplit import expect

first = np.zeros(1000, "b")
MPI.Attach_buffer(first)
expect(len(MPI.Detach_buffer()) == 1000)
MPI.Attach_buffer(np.zeros(2000, "b"))
expect(len(MPI.Detach_buffer()) == 2000)

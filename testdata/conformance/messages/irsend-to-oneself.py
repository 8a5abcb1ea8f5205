# MPI_Irsend: a receive that the process has posted itself is posted before its ready send [MPI-5.0 §3.4]
# commsplit: -n 1 --topo core:1
from mpi4py import MPI
import numpy as np
from commsplit import expect

own = MPI.COMM_SELF
got = np.zeros(1, "i")
receive = own.Irecv(got, source=0)
MPI.Request.Waitall([receive, own.Irsend(np.array([7], "i"), 0)])
expect(got[0] == 7)

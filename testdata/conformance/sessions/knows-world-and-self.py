# MPI_Session_get_nth_pset: every session knows the sets mpi://WORLD and mpi://SELF [MPI-5.0 §11.3.2]
# commsplit: -n 4 --topo core:4
from mpi4py import MPI
from commsplit import expect

session = MPI.Session.Init()
n = session.Get_num_psets()
names = [session.Get_nth_pset(i) for i in range(n)]
expect(n >= 2 and len(names) == n, "as many names as MPI_Session_get_num_psets says")
expect("mpi://WORLD" in names and "mpi://SELF" in names, "the two reserved names")
session.Finalize()

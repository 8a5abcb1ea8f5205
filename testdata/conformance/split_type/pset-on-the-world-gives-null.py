# MPI_Comm_split_type: mpi_pset_name gives MPI_COMM_NULL when comm is not derived from a session [MPI-5.0 §7.4.2]
# commsplit: -n 4 --topo core:4 --pset app://ocean=0-1
from mpi4py import MPI
from commsplit import expect

world = MPI.COMM_WORLD
info = MPI.Info.Create()
info.Set("mpi_pset_name", "app://ocean")
expect(world.Split_type(MPI.COMM_TYPE_RESOURCE_GUIDED, 0, info) == MPI.COMM_NULL, "the world is not")

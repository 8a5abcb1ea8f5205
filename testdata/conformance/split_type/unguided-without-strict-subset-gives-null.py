# MPI_Comm_split_type: HW_UNGUIDED gives MPI_COMM_NULL to who cannot be in a strict subset [MPI-5.0 §7.4.2]
# commsplit: -n 2 --topo "pack:2 core:2" --bind 0-3
from mpi4py import MPI
from commsplit import expect

world = MPI.COMM_WORLD
# Both processes may use the whole machine.
expect(world.Split_type(MPI.COMM_TYPE_HW_UNGUIDED) == MPI.COMM_NULL, "nothing divides them")
expect(MPI.COMM_SELF.Split_type(MPI.COMM_TYPE_HW_UNGUIDED) == MPI.COMM_NULL, "one process has no strict subset")

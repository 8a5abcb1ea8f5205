# MPI_Comm_create_from_group: each of the processes must provide the same arguments, info among them [MPI-5.0 §7.4.2]
# commsplit: -n 4 --topo core:4
# ends: 3 must provide the same info
from mpi4py import MPI

world = MPI.COMM_WORLD
info = MPI.Info.Create()
info.Set("mpi_assert_no_any_tag", "false" if world.Get_rank() else "true")
MPI.Intracomm.Create_from_group(world.Get_group(), "org.example", info, MPI.ERRORS_RETURN)

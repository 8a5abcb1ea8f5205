# RESOURCE_GUIDED: the same info key on all processes, and only one [MPI-5.0 §7.4.2]
# commsplit: -n 4 --topo "pack:2 core:2" --pset app://ocean=0-3
from mpi4py import MPI
from commsplit import expect_error, expect_parts, note

session = MPI.Session.Init()
comm = MPI.Intracomm.Create_from_group(session.Create_group("mpi://WORLD"), "org.example.all")
by_hardware = MPI.Info.Create()
by_hardware.Set("mpi_hw_resource_type", "hwloc://Package")
by_set = MPI.Info.Create()
by_set.Set("mpi_pset_name", "app://ocean")

note("Ranks 0 and 1 name a hardware resource, ranks 2 and 3 a process set: an error. Both keys at once are an error, too.")
mixed = by_hardware if comm.Get_rank() < 2 else by_set
expect_error(MPI.ERR_ARG, comm.Split_type, MPI.COMM_TYPE_RESOURCE_GUIDED, 0, mixed)
both = by_hardware.Dup()
both.Set("mpi_pset_name", "app://ocean")
expect_error(MPI.ERR_ARG, comm.Split_type, MPI.COMM_TYPE_RESOURCE_GUIDED, 0, both)

note("One key, on all of them:")
expect_parts(comm.Split_type(MPI.COMM_TYPE_RESOURCE_GUIDED, 0, by_hardware), [[0, 1], [2, 3]])
expect_parts(comm.Split_type(MPI.COMM_TYPE_RESOURCE_GUIDED, 0, by_set), [[0, 1, 2, 3]])

# MPI_Comm_set_info: with mpi_assert_no_any_tag and mpi_assert_no_any_source the process must not use that wildcard [MPI-5.0 §7.4.4]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
from commsplit import expect, expect_error

world = MPI.COMM_WORLD
tags, sources = world.Dup(), world.Dup()
tags.Set_info(MPI.Info.Create({"mpi_assert_no_any_tag": "true"}))
sources.Set_info(MPI.Info.Create({"mpi_assert_no_any_source": "true"}))
expect_error(MPI.ERR_TAG, tags.Iprobe, 0, MPI.ANY_TAG)
expect_error(MPI.ERR_RANK, sources.Iprobe, MPI.ANY_SOURCE, 0)
expect(not tags.Iprobe(MPI.ANY_SOURCE, 0))
expect(not sources.Iprobe(0, MPI.ANY_TAG))
expect(not world.Iprobe())

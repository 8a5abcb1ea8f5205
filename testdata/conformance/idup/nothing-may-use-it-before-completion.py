# MPI_Comm_idup: before completion newcomm is invalid in any call, local ones too, MPI_ERR_COMM [MPI-5.0 §7.4.2]
# commsplit: -n 4 --topo core:4
from mpi4py import MPI
from commsplit import expect, expect_error

world = MPI.COMM_WORLD
me = world.Get_rank()
half = world.Split(me // 2, me)
copy, request = world.Idup()
expect_error(MPI.ERR_COMM, copy.Get_name)
expect_error(MPI.ERR_COMM, copy.Get_rank)
expect_error(MPI.ERR_COMM, MPI.Comm.Compare, world, copy)
world.Barrier()  # all have called, yet the request is not complete on this process
expect_error(MPI.ERR_COMM, copy.Get_name)
expect_error(MPI.ERR_COMM, copy.Free)
if half.Get_rank() == 0:  # a leader needs its peer communicator
    expect_error(MPI.ERR_COMM, half.Create_intercomm, 0, copy, 2 - me)
request.Wait()
expect(copy.Get_name() == "", "after completion it can be used")

# MPI_Session_finalize: nothing may be called on what derives from the session, not even to free it, MPI_ERR_SESSION [MPI-5.0 §11.3.1]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
from commsplit import expect, expect_error

session, other = MPI.Session.Init(), MPI.Session.Init()
group = session.Create_group("mpi://WORLD")
comm = MPI.Intracomm.Create_from_group(group, "org.example.a")
half = comm.Split(comm.rank)
request = comm.irecv(source=1 - comm.rank)
stays = MPI.Intracomm.Create_from_group(other.Create_group("mpi://WORLD"), "org.example.b")
session.Finalize()
for call in [comm.Barrier, comm.Free, comm.Disconnect, half.Free, comm.Get_group, comm.Get_rank, group.Free, group.Get_size, request.Cancel, request.Free]:
    expect_error(MPI.ERR_SESSION, call)
expect_error(MPI.ERR_SESSION, MPI.Request.Waitall, [request])
expect_error(MPI.ERR_SESSION, MPI.Comm.Compare, stays, comm)
expect(stays.allreduce(1) == 2, "another session goes on")
stays.Free()

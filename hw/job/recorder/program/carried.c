// Code generated from engine/calls/procedures.txt by go generate ./engine/calls; DO NOT EDIT.

static const char carriers[] =
	" Barrier "
	"Ibarrier "
	"Barrier_init "
	"Bcast "
	"Ibcast "
	"Bcast_init "
	"Gather "
	"Igather "
	"Gather_init "
	"Gatherv "
	"Igatherv "
	"Gatherv_init "
	"Allgather "
	"Iallgather "
	"Allgather_init "
	"Allgatherv "
	"Iallgatherv "
	"Allgatherv_init "
	"Scatter "
	"Iscatter "
	"Scatter_init "
	"Scatterv "
	"Iscatterv "
	"Scatterv_init "
	"Alltoall "
	"Ialltoall "
	"Alltoall_init "
	"Alltoallv "
	"Ialltoallv "
	"Alltoallv_init "
	"Reduce "
	"Ireduce "
	"Reduce_init "
	"Allreduce "
	"Iallreduce "
	"Allreduce_init "
	"Reduce_scatter_block "
	"Ireduce_scatter_block "
	"Reduce_scatter_block_init "
	"Reduce_scatter "
	"Ireduce_scatter "
	"Reduce_scatter_init "
	"Scan "
	"Iscan "
	"Scan_init "
	"Exscan "
	"Iexscan "
	"Exscan_init "
	"Neighbor_allgather "
	"Ineighbor_allgather "
	"Neighbor_allgather_init "
	"Neighbor_allgatherv "
	"Ineighbor_allgatherv "
	"Neighbor_allgatherv_init "
	"Neighbor_alltoall "
	"Ineighbor_alltoall "
	"Neighbor_alltoall_init "
	"Neighbor_alltoallv "
	"Ineighbor_alltoallv "
	"Neighbor_alltoallv_init "
	"Send "
	"Recv "
	"Isend "
	"Irecv "
	"Ssend "
	"Issend "
	"Bsend "
	"Rsend "
	"Ibsend "
	"Irsend "
	"Send_init "
	"Bsend_init "
	"Ssend_init "
	"Rsend_init "
	"Recv_init "
	"Sendrecv "
	"Probe "
	"Iprobe "
	"Mprobe "
	"Improbe "
	"Sendrecv_replace "
	"Isendrecv "
	"Isendrecv_replace "
	"Psend_init "
	"Precv_init "
	"Alltoallw "
	"Ialltoallw "
	"Alltoallw_init "
	"Neighbor_alltoallw "
	"Ineighbor_alltoallw "
	"Neighbor_alltoallw_init ";

CARRIES(Barrier, (MPI_Comm comm),
     (comm), comm)
CARRIES(Bcast, (void *buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm),
     (buffer, count, datatype, root, comm), comm)
CARRIES(Gather, (CONST void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm),
     (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm), comm)
CARRIES(Gatherv, (CONST void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, CONST int recvcounts[], CONST int displs[], MPI_Datatype recvtype, int root, MPI_Comm comm),
     (sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, root, comm), comm)
CARRIES(Allgather, (CONST void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount, MPI_Datatype recvtype, MPI_Comm comm),
     (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm), comm)
CARRIES(Allgatherv, (CONST void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, CONST int recvcounts[], CONST int displs[], MPI_Datatype recvtype, MPI_Comm comm),
     (sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm), comm)
CARRIES(Scatter, (CONST void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm),
     (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm), comm)
CARRIES(Scatterv, (CONST void *sendbuf, CONST int sendcounts[], CONST int displs[], MPI_Datatype sendtype, void *recvbuf, int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm),
     (sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype, root, comm), comm)
CARRIES(Alltoall, (CONST void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount, MPI_Datatype recvtype, MPI_Comm comm),
     (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm), comm)
CARRIES(Alltoallv, (CONST void *sendbuf, CONST int sendcounts[], CONST int sdispls[], MPI_Datatype sendtype, void *recvbuf, CONST int recvcounts[], CONST int rdispls[], MPI_Datatype recvtype, MPI_Comm comm),
     (sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm), comm)
CARRIES(Reduce, (CONST void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, int root, MPI_Comm comm),
     (sendbuf, recvbuf, count, datatype, op, root, comm), comm)
CARRIES(Allreduce, (CONST void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm),
     (sendbuf, recvbuf, count, datatype, op, comm), comm)
CARRIES(Reduce_scatter, (CONST void *sendbuf, void *recvbuf, CONST int recvcounts[], MPI_Datatype datatype, MPI_Op op, MPI_Comm comm),
     (sendbuf, recvbuf, recvcounts, datatype, op, comm), comm)
CARRIES(Scan, (CONST void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm),
     (sendbuf, recvbuf, count, datatype, op, comm), comm)
CARRIES(Exscan, (CONST void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm),
     (sendbuf, recvbuf, count, datatype, op, comm), comm)
CARRIES(Send, (CONST void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm),
     (buf, count, datatype, dest, tag, comm), comm)
CARRIES(Recv, (void *buf, int count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm, MPI_Status *status),
     (buf, count, datatype, source, tag, comm, status), comm)
CARRIES(Isend, (CONST void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm, MPI_Request *request),
     (buf, count, datatype, dest, tag, comm, request), comm)
CARRIES(Irecv, (void *buf, int count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm, MPI_Request *request),
     (buf, count, datatype, source, tag, comm, request), comm)
CARRIES(Ssend, (CONST void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm),
     (buf, count, datatype, dest, tag, comm), comm)
CARRIES(Issend, (CONST void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm, MPI_Request *request),
     (buf, count, datatype, dest, tag, comm, request), comm)
CARRIES(Bsend, (CONST void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm),
     (buf, count, datatype, dest, tag, comm), comm)
CARRIES(Rsend, (CONST void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm),
     (buf, count, datatype, dest, tag, comm), comm)
CARRIES(Ibsend, (CONST void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm, MPI_Request *request),
     (buf, count, datatype, dest, tag, comm, request), comm)
CARRIES(Irsend, (CONST void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm, MPI_Request *request),
     (buf, count, datatype, dest, tag, comm, request), comm)
CARRIES(Send_init, (CONST void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm, MPI_Request *request),
     (buf, count, datatype, dest, tag, comm, request), comm)
CARRIES(Bsend_init, (CONST void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm, MPI_Request *request),
     (buf, count, datatype, dest, tag, comm, request), comm)
CARRIES(Ssend_init, (CONST void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm, MPI_Request *request),
     (buf, count, datatype, dest, tag, comm, request), comm)
CARRIES(Rsend_init, (CONST void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm, MPI_Request *request),
     (buf, count, datatype, dest, tag, comm, request), comm)
CARRIES(Recv_init, (void *buf, int count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm, MPI_Request *request),
     (buf, count, datatype, source, tag, comm, request), comm)
CARRIES(Sendrecv, (CONST void *sendbuf, int sendcount, MPI_Datatype sendtype, int dest, int sendtag, void *recvbuf, int recvcount, MPI_Datatype recvtype, int source, int recvtag, MPI_Comm comm, MPI_Status *status),
     (sendbuf, sendcount, sendtype, dest, sendtag, recvbuf, recvcount, recvtype, source, recvtag, comm, status), comm)
CARRIES(Probe, (int source, int tag, MPI_Comm comm, MPI_Status *status),
     (source, tag, comm, status), comm)
CARRIES(Iprobe, (int source, int tag, MPI_Comm comm, int *flag, MPI_Status *status),
     (source, tag, comm, flag, status), comm)
CARRIES(Sendrecv_replace, (void *buf, int count, MPI_Datatype datatype, int dest, int sendtag, int source, int recvtag, MPI_Comm comm, MPI_Status *status),
     (buf, count, datatype, dest, sendtag, source, recvtag, comm, status), comm)
CARRIES(Alltoallw, (CONST void *sendbuf, CONST int sendcounts[], CONST int sdispls[], CONST MPI_Datatype sendtypes[], void *recvbuf, CONST int recvcounts[], CONST int rdispls[], CONST MPI_Datatype recvtypes[], MPI_Comm comm),
     (sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm), comm)

#if STANDARD >= 22
CARRIES(Reduce_scatter_block, (CONST void *sendbuf, void *recvbuf, int recvcount, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm),
     (sendbuf, recvbuf, recvcount, datatype, op, comm), comm)
#endif

#if STANDARD >= 30
CARRIES(Ibarrier, (MPI_Comm comm, MPI_Request *request),
     (comm, request), comm)
CARRIES(Ibcast, (void *buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm, MPI_Request *request),
     (buffer, count, datatype, root, comm, request), comm)
CARRIES(Igather, (CONST void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Request *request),
     (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm, request), comm)
CARRIES(Igatherv, (CONST void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, CONST int recvcounts[], CONST int displs[], MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Request *request),
     (sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, root, comm, request), comm)
CARRIES(Iallgather, (CONST void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request),
     (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, request), comm)
CARRIES(Iallgatherv, (CONST void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, CONST int recvcounts[], CONST int displs[], MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request),
     (sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm, request), comm)
CARRIES(Iscatter, (CONST void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Request *request),
     (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm, request), comm)
CARRIES(Iscatterv, (CONST void *sendbuf, CONST int sendcounts[], CONST int displs[], MPI_Datatype sendtype, void *recvbuf, int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Request *request),
     (sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype, root, comm, request), comm)
CARRIES(Ialltoall, (CONST void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request),
     (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, request), comm)
CARRIES(Ialltoallv, (CONST void *sendbuf, CONST int sendcounts[], CONST int sdispls[], MPI_Datatype sendtype, void *recvbuf, CONST int recvcounts[], CONST int rdispls[], MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request),
     (sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm, request), comm)
CARRIES(Ireduce, (CONST void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, int root, MPI_Comm comm, MPI_Request *request),
     (sendbuf, recvbuf, count, datatype, op, root, comm, request), comm)
CARRIES(Iallreduce, (CONST void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, MPI_Request *request),
     (sendbuf, recvbuf, count, datatype, op, comm, request), comm)
CARRIES(Ireduce_scatter_block, (CONST void *sendbuf, void *recvbuf, int recvcount, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, MPI_Request *request),
     (sendbuf, recvbuf, recvcount, datatype, op, comm, request), comm)
CARRIES(Ireduce_scatter, (CONST void *sendbuf, void *recvbuf, CONST int recvcounts[], MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, MPI_Request *request),
     (sendbuf, recvbuf, recvcounts, datatype, op, comm, request), comm)
CARRIES(Iscan, (CONST void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, MPI_Request *request),
     (sendbuf, recvbuf, count, datatype, op, comm, request), comm)
CARRIES(Iexscan, (CONST void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, MPI_Request *request),
     (sendbuf, recvbuf, count, datatype, op, comm, request), comm)
CARRIES(Neighbor_allgather, (CONST void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount, MPI_Datatype recvtype, MPI_Comm comm),
     (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm), comm)
CARRIES(Ineighbor_allgather, (CONST void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request),
     (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, request), comm)
CARRIES(Neighbor_allgatherv, (CONST void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, CONST int recvcounts[], CONST int displs[], MPI_Datatype recvtype, MPI_Comm comm),
     (sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm), comm)
CARRIES(Ineighbor_allgatherv, (CONST void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, CONST int recvcounts[], CONST int displs[], MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request),
     (sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm, request), comm)
CARRIES(Neighbor_alltoall, (CONST void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount, MPI_Datatype recvtype, MPI_Comm comm),
     (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm), comm)
CARRIES(Ineighbor_alltoall, (CONST void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request),
     (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, request), comm)
CARRIES(Neighbor_alltoallv, (CONST void *sendbuf, CONST int sendcounts[], CONST int sdispls[], MPI_Datatype sendtype, void *recvbuf, CONST int recvcounts[], CONST int rdispls[], MPI_Datatype recvtype, MPI_Comm comm),
     (sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm), comm)
CARRIES(Ineighbor_alltoallv, (CONST void *sendbuf, CONST int sendcounts[], CONST int sdispls[], MPI_Datatype sendtype, void *recvbuf, CONST int recvcounts[], CONST int rdispls[], MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request),
     (sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm, request), comm)
CARRIES(Mprobe, (int source, int tag, MPI_Comm comm, MPI_Message *message, MPI_Status *status),
     (source, tag, comm, message, status), comm)
CARRIES(Improbe, (int source, int tag, MPI_Comm comm, int *flag, MPI_Message *message, MPI_Status *status),
     (source, tag, comm, flag, message, status), comm)
CARRIES(Ialltoallw, (CONST void *sendbuf, CONST int sendcounts[], CONST int sdispls[], CONST MPI_Datatype sendtypes[], void *recvbuf, CONST int recvcounts[], CONST int rdispls[], CONST MPI_Datatype recvtypes[], MPI_Comm comm, MPI_Request *request),
     (sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm, request), comm)
CARRIES(Neighbor_alltoallw, (CONST void *sendbuf, CONST int sendcounts[], CONST MPI_Aint sdispls[], CONST MPI_Datatype sendtypes[], void *recvbuf, CONST int recvcounts[], CONST MPI_Aint rdispls[], CONST MPI_Datatype recvtypes[], MPI_Comm comm),
     (sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm), comm)
CARRIES(Ineighbor_alltoallw, (CONST void *sendbuf, CONST int sendcounts[], CONST MPI_Aint sdispls[], CONST MPI_Datatype sendtypes[], void *recvbuf, CONST int recvcounts[], CONST MPI_Aint rdispls[], CONST MPI_Datatype recvtypes[], MPI_Comm comm, MPI_Request *request),
     (sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm, request), comm)
#endif

#if STANDARD >= 40
CARRIES(Barrier_init, (MPI_Comm comm, MPI_Info info, MPI_Request *request),
     (comm, info, request), comm)
CARRIES(Bcast_init, (void *buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm, MPI_Info info, MPI_Request *request),
     (buffer, count, datatype, root, comm, info, request), comm)
CARRIES(Gather_init, (CONST void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Info info, MPI_Request *request),
     (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm, info, request), comm)
CARRIES(Gatherv_init, (CONST void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, CONST int recvcounts[], CONST int displs[], MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Info info, MPI_Request *request),
     (sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, root, comm, info, request), comm)
CARRIES(Allgather_init, (CONST void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info, MPI_Request *request),
     (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, info, request), comm)
CARRIES(Allgatherv_init, (CONST void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, CONST int recvcounts[], CONST int displs[], MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info, MPI_Request *request),
     (sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm, info, request), comm)
CARRIES(Scatter_init, (CONST void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Info info, MPI_Request *request),
     (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm, info, request), comm)
CARRIES(Scatterv_init, (CONST void *sendbuf, CONST int sendcounts[], CONST int displs[], MPI_Datatype sendtype, void *recvbuf, int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Info info, MPI_Request *request),
     (sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype, root, comm, info, request), comm)
CARRIES(Alltoall_init, (CONST void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info, MPI_Request *request),
     (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, info, request), comm)
CARRIES(Alltoallv_init, (CONST void *sendbuf, CONST int sendcounts[], CONST int sdispls[], MPI_Datatype sendtype, void *recvbuf, CONST int recvcounts[], CONST int rdispls[], MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info, MPI_Request *request),
     (sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm, info, request), comm)
CARRIES(Reduce_init, (CONST void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, int root, MPI_Comm comm, MPI_Info info, MPI_Request *request),
     (sendbuf, recvbuf, count, datatype, op, root, comm, info, request), comm)
CARRIES(Allreduce_init, (CONST void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, MPI_Info info, MPI_Request *request),
     (sendbuf, recvbuf, count, datatype, op, comm, info, request), comm)
CARRIES(Reduce_scatter_block_init, (CONST void *sendbuf, void *recvbuf, int recvcount, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, MPI_Info info, MPI_Request *request),
     (sendbuf, recvbuf, recvcount, datatype, op, comm, info, request), comm)
CARRIES(Reduce_scatter_init, (CONST void *sendbuf, void *recvbuf, CONST int recvcounts[], MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, MPI_Info info, MPI_Request *request),
     (sendbuf, recvbuf, recvcounts, datatype, op, comm, info, request), comm)
CARRIES(Scan_init, (CONST void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, MPI_Info info, MPI_Request *request),
     (sendbuf, recvbuf, count, datatype, op, comm, info, request), comm)
CARRIES(Exscan_init, (CONST void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, MPI_Info info, MPI_Request *request),
     (sendbuf, recvbuf, count, datatype, op, comm, info, request), comm)
CARRIES(Neighbor_allgather_init, (CONST void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info, MPI_Request *request),
     (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, info, request), comm)
CARRIES(Neighbor_allgatherv_init, (CONST void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, CONST int recvcounts[], CONST int displs[], MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info, MPI_Request *request),
     (sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm, info, request), comm)
CARRIES(Neighbor_alltoall_init, (CONST void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info, MPI_Request *request),
     (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, info, request), comm)
CARRIES(Neighbor_alltoallv_init, (CONST void *sendbuf, CONST int sendcounts[], CONST int sdispls[], MPI_Datatype sendtype, void *recvbuf, CONST int recvcounts[], CONST int rdispls[], MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info, MPI_Request *request),
     (sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm, info, request), comm)
CARRIES(Isendrecv, (CONST void *sendbuf, int sendcount, MPI_Datatype sendtype, int dest, int sendtag, void *recvbuf, int recvcount, MPI_Datatype recvtype, int source, int recvtag, MPI_Comm comm, MPI_Request *request),
     (sendbuf, sendcount, sendtype, dest, sendtag, recvbuf, recvcount, recvtype, source, recvtag, comm, request), comm)
CARRIES(Isendrecv_replace, (void *buf, int count, MPI_Datatype datatype, int dest, int sendtag, int source, int recvtag, MPI_Comm comm, MPI_Request *request),
     (buf, count, datatype, dest, sendtag, source, recvtag, comm, request), comm)
CARRIES(Psend_init, (CONST void *buf, int partitions, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm, MPI_Info info, MPI_Request *request),
     (buf, partitions, count, datatype, dest, tag, comm, info, request), comm)
CARRIES(Precv_init, (void *buf, int partitions, MPI_Count count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm, MPI_Info info, MPI_Request *request),
     (buf, partitions, count, datatype, source, tag, comm, info, request), comm)
CARRIES(Alltoallw_init, (CONST void *sendbuf, CONST int sendcounts[], CONST int sdispls[], CONST MPI_Datatype sendtypes[], void *recvbuf, CONST int recvcounts[], CONST int rdispls[], CONST MPI_Datatype recvtypes[], MPI_Comm comm, MPI_Info info, MPI_Request *request),
     (sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm, info, request), comm)
CARRIES(Neighbor_alltoallw_init, (CONST void *sendbuf, CONST int sendcounts[], CONST MPI_Aint sdispls[], CONST MPI_Datatype sendtypes[], void *recvbuf, CONST int recvcounts[], CONST MPI_Aint rdispls[], CONST MPI_Datatype recvtypes[], MPI_Comm comm, MPI_Info info, MPI_Request *request),
     (sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm, info, request), comm)
#endif

#if STANDARD >= 40
CARRIES(Bcast_c, (void *buffer, MPI_Count count, MPI_Datatype datatype, int root, MPI_Comm comm),
     (buffer, count, datatype, root, comm), comm)
CARRIES(Ibcast_c, (void *buffer, MPI_Count count, MPI_Datatype datatype, int root, MPI_Comm comm, MPI_Request *request),
     (buffer, count, datatype, root, comm, request), comm)
CARRIES(Bcast_init_c, (void *buffer, MPI_Count count, MPI_Datatype datatype, int root, MPI_Comm comm, MPI_Info info, MPI_Request *request),
     (buffer, count, datatype, root, comm, info, request), comm)
CARRIES(Gather_c, (CONST void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm),
     (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm), comm)
CARRIES(Igather_c, (CONST void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Request *request),
     (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm, request), comm)
CARRIES(Gather_init_c, (CONST void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Info info, MPI_Request *request),
     (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm, info, request), comm)
CARRIES(Gatherv_c, (CONST void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf, CONST MPI_Count recvcounts[], CONST MPI_Aint displs[], MPI_Datatype recvtype, int root, MPI_Comm comm),
     (sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, root, comm), comm)
CARRIES(Igatherv_c, (CONST void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf, CONST MPI_Count recvcounts[], CONST MPI_Aint displs[], MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Request *request),
     (sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, root, comm, request), comm)
CARRIES(Gatherv_init_c, (CONST void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf, CONST MPI_Count recvcounts[], CONST MPI_Aint displs[], MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Info info, MPI_Request *request),
     (sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, root, comm, info, request), comm)
CARRIES(Allgather_c, (CONST void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm),
     (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm), comm)
CARRIES(Iallgather_c, (CONST void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request),
     (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, request), comm)
CARRIES(Allgather_init_c, (CONST void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info, MPI_Request *request),
     (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, info, request), comm)
CARRIES(Allgatherv_c, (CONST void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf, CONST MPI_Count recvcounts[], CONST MPI_Aint displs[], MPI_Datatype recvtype, MPI_Comm comm),
     (sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm), comm)
CARRIES(Iallgatherv_c, (CONST void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf, CONST MPI_Count recvcounts[], CONST MPI_Aint displs[], MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request),
     (sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm, request), comm)
CARRIES(Allgatherv_init_c, (CONST void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf, CONST MPI_Count recvcounts[], CONST MPI_Aint displs[], MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info, MPI_Request *request),
     (sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm, info, request), comm)
CARRIES(Scatter_c, (CONST void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm),
     (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm), comm)
CARRIES(Iscatter_c, (CONST void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Request *request),
     (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm, request), comm)
CARRIES(Scatter_init_c, (CONST void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Info info, MPI_Request *request),
     (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm, info, request), comm)
CARRIES(Scatterv_c, (CONST void *sendbuf, CONST MPI_Count sendcounts[], CONST MPI_Aint displs[], MPI_Datatype sendtype, void *recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm),
     (sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype, root, comm), comm)
CARRIES(Iscatterv_c, (CONST void *sendbuf, CONST MPI_Count sendcounts[], CONST MPI_Aint displs[], MPI_Datatype sendtype, void *recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Request *request),
     (sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype, root, comm, request), comm)
CARRIES(Scatterv_init_c, (CONST void *sendbuf, CONST MPI_Count sendcounts[], CONST MPI_Aint displs[], MPI_Datatype sendtype, void *recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Info info, MPI_Request *request),
     (sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype, root, comm, info, request), comm)
CARRIES(Alltoall_c, (CONST void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm),
     (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm), comm)
CARRIES(Ialltoall_c, (CONST void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request),
     (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, request), comm)
CARRIES(Alltoall_init_c, (CONST void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info, MPI_Request *request),
     (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, info, request), comm)
CARRIES(Alltoallv_c, (CONST void *sendbuf, CONST MPI_Count sendcounts[], CONST MPI_Aint sdispls[], MPI_Datatype sendtype, void *recvbuf, CONST MPI_Count recvcounts[], CONST MPI_Aint rdispls[], MPI_Datatype recvtype, MPI_Comm comm),
     (sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm), comm)
CARRIES(Ialltoallv_c, (CONST void *sendbuf, CONST MPI_Count sendcounts[], CONST MPI_Aint sdispls[], MPI_Datatype sendtype, void *recvbuf, CONST MPI_Count recvcounts[], CONST MPI_Aint rdispls[], MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request),
     (sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm, request), comm)
CARRIES(Alltoallv_init_c, (CONST void *sendbuf, CONST MPI_Count sendcounts[], CONST MPI_Aint sdispls[], MPI_Datatype sendtype, void *recvbuf, CONST MPI_Count recvcounts[], CONST MPI_Aint rdispls[], MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info, MPI_Request *request),
     (sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm, info, request), comm)
CARRIES(Reduce_c, (CONST void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op, int root, MPI_Comm comm),
     (sendbuf, recvbuf, count, datatype, op, root, comm), comm)
CARRIES(Ireduce_c, (CONST void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op, int root, MPI_Comm comm, MPI_Request *request),
     (sendbuf, recvbuf, count, datatype, op, root, comm, request), comm)
CARRIES(Reduce_init_c, (CONST void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op, int root, MPI_Comm comm, MPI_Info info, MPI_Request *request),
     (sendbuf, recvbuf, count, datatype, op, root, comm, info, request), comm)
CARRIES(Allreduce_c, (CONST void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm),
     (sendbuf, recvbuf, count, datatype, op, comm), comm)
CARRIES(Iallreduce_c, (CONST void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, MPI_Request *request),
     (sendbuf, recvbuf, count, datatype, op, comm, request), comm)
CARRIES(Allreduce_init_c, (CONST void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, MPI_Info info, MPI_Request *request),
     (sendbuf, recvbuf, count, datatype, op, comm, info, request), comm)
CARRIES(Reduce_scatter_block_c, (CONST void *sendbuf, void *recvbuf, MPI_Count recvcount, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm),
     (sendbuf, recvbuf, recvcount, datatype, op, comm), comm)
CARRIES(Ireduce_scatter_block_c, (CONST void *sendbuf, void *recvbuf, MPI_Count recvcount, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, MPI_Request *request),
     (sendbuf, recvbuf, recvcount, datatype, op, comm, request), comm)
CARRIES(Reduce_scatter_block_init_c, (CONST void *sendbuf, void *recvbuf, MPI_Count recvcount, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, MPI_Info info, MPI_Request *request),
     (sendbuf, recvbuf, recvcount, datatype, op, comm, info, request), comm)
CARRIES(Reduce_scatter_c, (CONST void *sendbuf, void *recvbuf, CONST MPI_Count recvcounts[], MPI_Datatype datatype, MPI_Op op, MPI_Comm comm),
     (sendbuf, recvbuf, recvcounts, datatype, op, comm), comm)
CARRIES(Ireduce_scatter_c, (CONST void *sendbuf, void *recvbuf, CONST MPI_Count recvcounts[], MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, MPI_Request *request),
     (sendbuf, recvbuf, recvcounts, datatype, op, comm, request), comm)
CARRIES(Reduce_scatter_init_c, (CONST void *sendbuf, void *recvbuf, CONST MPI_Count recvcounts[], MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, MPI_Info info, MPI_Request *request),
     (sendbuf, recvbuf, recvcounts, datatype, op, comm, info, request), comm)
CARRIES(Scan_c, (CONST void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm),
     (sendbuf, recvbuf, count, datatype, op, comm), comm)
CARRIES(Iscan_c, (CONST void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, MPI_Request *request),
     (sendbuf, recvbuf, count, datatype, op, comm, request), comm)
CARRIES(Scan_init_c, (CONST void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, MPI_Info info, MPI_Request *request),
     (sendbuf, recvbuf, count, datatype, op, comm, info, request), comm)
CARRIES(Exscan_c, (CONST void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm),
     (sendbuf, recvbuf, count, datatype, op, comm), comm)
CARRIES(Iexscan_c, (CONST void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, MPI_Request *request),
     (sendbuf, recvbuf, count, datatype, op, comm, request), comm)
CARRIES(Exscan_init_c, (CONST void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, MPI_Info info, MPI_Request *request),
     (sendbuf, recvbuf, count, datatype, op, comm, info, request), comm)
CARRIES(Neighbor_allgather_c, (CONST void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm),
     (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm), comm)
CARRIES(Ineighbor_allgather_c, (CONST void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request),
     (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, request), comm)
CARRIES(Neighbor_allgather_init_c, (CONST void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info, MPI_Request *request),
     (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, info, request), comm)
CARRIES(Neighbor_allgatherv_c, (CONST void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf, CONST MPI_Count recvcounts[], CONST MPI_Aint displs[], MPI_Datatype recvtype, MPI_Comm comm),
     (sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm), comm)
CARRIES(Ineighbor_allgatherv_c, (CONST void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf, CONST MPI_Count recvcounts[], CONST MPI_Aint displs[], MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request),
     (sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm, request), comm)
CARRIES(Neighbor_allgatherv_init_c, (CONST void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf, CONST MPI_Count recvcounts[], CONST MPI_Aint displs[], MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info, MPI_Request *request),
     (sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm, info, request), comm)
CARRIES(Neighbor_alltoall_c, (CONST void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm),
     (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm), comm)
CARRIES(Ineighbor_alltoall_c, (CONST void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request),
     (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, request), comm)
CARRIES(Neighbor_alltoall_init_c, (CONST void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info, MPI_Request *request),
     (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, info, request), comm)
CARRIES(Neighbor_alltoallv_c, (CONST void *sendbuf, CONST MPI_Count sendcounts[], CONST MPI_Aint sdispls[], MPI_Datatype sendtype, void *recvbuf, CONST MPI_Count recvcounts[], CONST MPI_Aint rdispls[], MPI_Datatype recvtype, MPI_Comm comm),
     (sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm), comm)
CARRIES(Ineighbor_alltoallv_c, (CONST void *sendbuf, CONST MPI_Count sendcounts[], CONST MPI_Aint sdispls[], MPI_Datatype sendtype, void *recvbuf, CONST MPI_Count recvcounts[], CONST MPI_Aint rdispls[], MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request),
     (sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm, request), comm)
CARRIES(Neighbor_alltoallv_init_c, (CONST void *sendbuf, CONST MPI_Count sendcounts[], CONST MPI_Aint sdispls[], MPI_Datatype sendtype, void *recvbuf, CONST MPI_Count recvcounts[], CONST MPI_Aint rdispls[], MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info, MPI_Request *request),
     (sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm, info, request), comm)
CARRIES(Send_c, (CONST void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm),
     (buf, count, datatype, dest, tag, comm), comm)
CARRIES(Recv_c, (void *buf, MPI_Count count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm, MPI_Status *status),
     (buf, count, datatype, source, tag, comm, status), comm)
CARRIES(Isend_c, (CONST void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm, MPI_Request *request),
     (buf, count, datatype, dest, tag, comm, request), comm)
CARRIES(Irecv_c, (void *buf, MPI_Count count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm, MPI_Request *request),
     (buf, count, datatype, source, tag, comm, request), comm)
CARRIES(Ssend_c, (CONST void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm),
     (buf, count, datatype, dest, tag, comm), comm)
CARRIES(Issend_c, (CONST void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm, MPI_Request *request),
     (buf, count, datatype, dest, tag, comm, request), comm)
CARRIES(Bsend_c, (CONST void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm),
     (buf, count, datatype, dest, tag, comm), comm)
CARRIES(Rsend_c, (CONST void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm),
     (buf, count, datatype, dest, tag, comm), comm)
CARRIES(Ibsend_c, (CONST void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm, MPI_Request *request),
     (buf, count, datatype, dest, tag, comm, request), comm)
CARRIES(Irsend_c, (CONST void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm, MPI_Request *request),
     (buf, count, datatype, dest, tag, comm, request), comm)
CARRIES(Send_init_c, (CONST void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm, MPI_Request *request),
     (buf, count, datatype, dest, tag, comm, request), comm)
CARRIES(Bsend_init_c, (CONST void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm, MPI_Request *request),
     (buf, count, datatype, dest, tag, comm, request), comm)
CARRIES(Ssend_init_c, (CONST void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm, MPI_Request *request),
     (buf, count, datatype, dest, tag, comm, request), comm)
CARRIES(Rsend_init_c, (CONST void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm, MPI_Request *request),
     (buf, count, datatype, dest, tag, comm, request), comm)
CARRIES(Recv_init_c, (void *buf, MPI_Count count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm, MPI_Request *request),
     (buf, count, datatype, source, tag, comm, request), comm)
CARRIES(Sendrecv_c, (CONST void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, int dest, int sendtag, void *recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, int source, int recvtag, MPI_Comm comm, MPI_Status *status),
     (sendbuf, sendcount, sendtype, dest, sendtag, recvbuf, recvcount, recvtype, source, recvtag, comm, status), comm)
CARRIES(Sendrecv_replace_c, (void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int sendtag, int source, int recvtag, MPI_Comm comm, MPI_Status *status),
     (buf, count, datatype, dest, sendtag, source, recvtag, comm, status), comm)
CARRIES(Isendrecv_c, (CONST void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, int dest, int sendtag, void *recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, int source, int recvtag, MPI_Comm comm, MPI_Request *request),
     (sendbuf, sendcount, sendtype, dest, sendtag, recvbuf, recvcount, recvtype, source, recvtag, comm, request), comm)
CARRIES(Isendrecv_replace_c, (void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int sendtag, int source, int recvtag, MPI_Comm comm, MPI_Request *request),
     (buf, count, datatype, dest, sendtag, source, recvtag, comm, request), comm)
CARRIES(Alltoallw_c, (CONST void *sendbuf, CONST MPI_Count sendcounts[], CONST MPI_Aint sdispls[], CONST MPI_Datatype sendtypes[], void *recvbuf, CONST MPI_Count recvcounts[], CONST MPI_Aint rdispls[], CONST MPI_Datatype recvtypes[], MPI_Comm comm),
     (sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm), comm)
CARRIES(Ialltoallw_c, (CONST void *sendbuf, CONST MPI_Count sendcounts[], CONST MPI_Aint sdispls[], CONST MPI_Datatype sendtypes[], void *recvbuf, CONST MPI_Count recvcounts[], CONST MPI_Aint rdispls[], CONST MPI_Datatype recvtypes[], MPI_Comm comm, MPI_Request *request),
     (sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm, request), comm)
CARRIES(Alltoallw_init_c, (CONST void *sendbuf, CONST MPI_Count sendcounts[], CONST MPI_Aint sdispls[], CONST MPI_Datatype sendtypes[], void *recvbuf, CONST MPI_Count recvcounts[], CONST MPI_Aint rdispls[], CONST MPI_Datatype recvtypes[], MPI_Comm comm, MPI_Info info, MPI_Request *request),
     (sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm, info, request), comm)
CARRIES(Neighbor_alltoallw_c, (CONST void *sendbuf, CONST MPI_Count sendcounts[], CONST MPI_Aint sdispls[], CONST MPI_Datatype sendtypes[], void *recvbuf, CONST MPI_Count recvcounts[], CONST MPI_Aint rdispls[], CONST MPI_Datatype recvtypes[], MPI_Comm comm),
     (sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm), comm)
CARRIES(Ineighbor_alltoallw_c, (CONST void *sendbuf, CONST MPI_Count sendcounts[], CONST MPI_Aint sdispls[], CONST MPI_Datatype sendtypes[], void *recvbuf, CONST MPI_Count recvcounts[], CONST MPI_Aint rdispls[], CONST MPI_Datatype recvtypes[], MPI_Comm comm, MPI_Request *request),
     (sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm, request), comm)
CARRIES(Neighbor_alltoallw_init_c, (CONST void *sendbuf, CONST MPI_Count sendcounts[], CONST MPI_Aint sdispls[], CONST MPI_Datatype sendtypes[], void *recvbuf, CONST MPI_Count recvcounts[], CONST MPI_Aint rdispls[], CONST MPI_Datatype recvtypes[], MPI_Comm comm, MPI_Info info, MPI_Request *request),
     (sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm, info, request), comm)
#endif

FORTRAN_CARRIES(barrier,
        (F *comm, F *error),
        (comm, error), PMPI_Comm_f2c(*comm))
FORTRAN_CARRIES(bcast,
        (F *buffer, F *count, F *datatype, F *root, F *comm, F *error),
        (buffer, count, datatype, root, comm, error), PMPI_Comm_f2c(*comm))
FORTRAN_CARRIES(gather,
        (F *sendbuf, F *sendcount, F *sendtype, F *recvbuf, F *recvcount, F *recvtype, F *root, F *comm, F *error),
        (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm, error), PMPI_Comm_f2c(*comm))
FORTRAN_CARRIES(gatherv,
        (F *sendbuf, F *sendcount, F *sendtype, F *recvbuf, F *recvcounts, F *displs, F *recvtype, F *root, F *comm, F *error),
        (sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, root, comm, error), PMPI_Comm_f2c(*comm))
FORTRAN_CARRIES(allgather,
        (F *sendbuf, F *sendcount, F *sendtype, F *recvbuf, F *recvcount, F *recvtype, F *comm, F *error),
        (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, error), PMPI_Comm_f2c(*comm))
FORTRAN_CARRIES(allgatherv,
        (F *sendbuf, F *sendcount, F *sendtype, F *recvbuf, F *recvcounts, F *displs, F *recvtype, F *comm, F *error),
        (sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm, error), PMPI_Comm_f2c(*comm))
FORTRAN_CARRIES(scatter,
        (F *sendbuf, F *sendcount, F *sendtype, F *recvbuf, F *recvcount, F *recvtype, F *root, F *comm, F *error),
        (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm, error), PMPI_Comm_f2c(*comm))
FORTRAN_CARRIES(scatterv,
        (F *sendbuf, F *sendcounts, F *displs, F *sendtype, F *recvbuf, F *recvcount, F *recvtype, F *root, F *comm, F *error),
        (sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype, root, comm, error), PMPI_Comm_f2c(*comm))
FORTRAN_CARRIES(alltoall,
        (F *sendbuf, F *sendcount, F *sendtype, F *recvbuf, F *recvcount, F *recvtype, F *comm, F *error),
        (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, error), PMPI_Comm_f2c(*comm))
FORTRAN_CARRIES(alltoallv,
        (F *sendbuf, F *sendcounts, F *sdispls, F *sendtype, F *recvbuf, F *recvcounts, F *rdispls, F *recvtype, F *comm, F *error),
        (sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm, error), PMPI_Comm_f2c(*comm))
FORTRAN_CARRIES(reduce,
        (F *sendbuf, F *recvbuf, F *count, F *datatype, F *op, F *root, F *comm, F *error),
        (sendbuf, recvbuf, count, datatype, op, root, comm, error), PMPI_Comm_f2c(*comm))
FORTRAN_CARRIES(allreduce,
        (F *sendbuf, F *recvbuf, F *count, F *datatype, F *op, F *comm, F *error),
        (sendbuf, recvbuf, count, datatype, op, comm, error), PMPI_Comm_f2c(*comm))
FORTRAN_CARRIES(reduce_scatter,
        (F *sendbuf, F *recvbuf, F *recvcounts, F *datatype, F *op, F *comm, F *error),
        (sendbuf, recvbuf, recvcounts, datatype, op, comm, error), PMPI_Comm_f2c(*comm))
FORTRAN_CARRIES(scan,
        (F *sendbuf, F *recvbuf, F *count, F *datatype, F *op, F *comm, F *error),
        (sendbuf, recvbuf, count, datatype, op, comm, error), PMPI_Comm_f2c(*comm))
FORTRAN_CARRIES(exscan,
        (F *sendbuf, F *recvbuf, F *count, F *datatype, F *op, F *comm, F *error),
        (sendbuf, recvbuf, count, datatype, op, comm, error), PMPI_Comm_f2c(*comm))
FORTRAN_CARRIES(send,
        (F *buf, F *count, F *datatype, F *dest, F *tag, F *comm, F *error),
        (buf, count, datatype, dest, tag, comm, error), PMPI_Comm_f2c(*comm))
FORTRAN_CARRIES(recv,
        (F *buf, F *count, F *datatype, F *source, F *tag, F *comm, F *status, F *error),
        (buf, count, datatype, source, tag, comm, status, error), PMPI_Comm_f2c(*comm))
FORTRAN_CARRIES(isend,
        (F *buf, F *count, F *datatype, F *dest, F *tag, F *comm, F *request, F *error),
        (buf, count, datatype, dest, tag, comm, request, error), PMPI_Comm_f2c(*comm))
FORTRAN_CARRIES(irecv,
        (F *buf, F *count, F *datatype, F *source, F *tag, F *comm, F *request, F *error),
        (buf, count, datatype, source, tag, comm, request, error), PMPI_Comm_f2c(*comm))
FORTRAN_CARRIES(ssend,
        (F *buf, F *count, F *datatype, F *dest, F *tag, F *comm, F *error),
        (buf, count, datatype, dest, tag, comm, error), PMPI_Comm_f2c(*comm))
FORTRAN_CARRIES(issend,
        (F *buf, F *count, F *datatype, F *dest, F *tag, F *comm, F *request, F *error),
        (buf, count, datatype, dest, tag, comm, request, error), PMPI_Comm_f2c(*comm))
FORTRAN_CARRIES(bsend,
        (F *buf, F *count, F *datatype, F *dest, F *tag, F *comm, F *error),
        (buf, count, datatype, dest, tag, comm, error), PMPI_Comm_f2c(*comm))
FORTRAN_CARRIES(rsend,
        (F *buf, F *count, F *datatype, F *dest, F *tag, F *comm, F *error),
        (buf, count, datatype, dest, tag, comm, error), PMPI_Comm_f2c(*comm))
FORTRAN_CARRIES(ibsend,
        (F *buf, F *count, F *datatype, F *dest, F *tag, F *comm, F *request, F *error),
        (buf, count, datatype, dest, tag, comm, request, error), PMPI_Comm_f2c(*comm))
FORTRAN_CARRIES(irsend,
        (F *buf, F *count, F *datatype, F *dest, F *tag, F *comm, F *request, F *error),
        (buf, count, datatype, dest, tag, comm, request, error), PMPI_Comm_f2c(*comm))
FORTRAN_CARRIES(send_init,
        (F *buf, F *count, F *datatype, F *dest, F *tag, F *comm, F *request, F *error),
        (buf, count, datatype, dest, tag, comm, request, error), PMPI_Comm_f2c(*comm))
FORTRAN_CARRIES(bsend_init,
        (F *buf, F *count, F *datatype, F *dest, F *tag, F *comm, F *request, F *error),
        (buf, count, datatype, dest, tag, comm, request, error), PMPI_Comm_f2c(*comm))
FORTRAN_CARRIES(ssend_init,
        (F *buf, F *count, F *datatype, F *dest, F *tag, F *comm, F *request, F *error),
        (buf, count, datatype, dest, tag, comm, request, error), PMPI_Comm_f2c(*comm))
FORTRAN_CARRIES(rsend_init,
        (F *buf, F *count, F *datatype, F *dest, F *tag, F *comm, F *request, F *error),
        (buf, count, datatype, dest, tag, comm, request, error), PMPI_Comm_f2c(*comm))
FORTRAN_CARRIES(recv_init,
        (F *buf, F *count, F *datatype, F *source, F *tag, F *comm, F *request, F *error),
        (buf, count, datatype, source, tag, comm, request, error), PMPI_Comm_f2c(*comm))
FORTRAN_CARRIES(sendrecv,
        (F *sendbuf, F *sendcount, F *sendtype, F *dest, F *sendtag, F *recvbuf, F *recvcount, F *recvtype, F *source, F *recvtag, F *comm, F *status, F *error),
        (sendbuf, sendcount, sendtype, dest, sendtag, recvbuf, recvcount, recvtype, source, recvtag, comm, status, error), PMPI_Comm_f2c(*comm))
FORTRAN_CARRIES(probe,
        (F *source, F *tag, F *comm, F *status, F *error),
        (source, tag, comm, status, error), PMPI_Comm_f2c(*comm))
FORTRAN_CARRIES(iprobe,
        (F *source, F *tag, F *comm, F *flag, F *status, F *error),
        (source, tag, comm, flag, status, error), PMPI_Comm_f2c(*comm))
FORTRAN_CARRIES(sendrecv_replace,
        (F *buf, F *count, F *datatype, F *dest, F *sendtag, F *source, F *recvtag, F *comm, F *status, F *error),
        (buf, count, datatype, dest, sendtag, source, recvtag, comm, status, error), PMPI_Comm_f2c(*comm))
FORTRAN_CARRIES(alltoallw,
        (F *sendbuf, F *sendcounts, F *sdispls, F *sendtypes, F *recvbuf, F *recvcounts, F *rdispls, F *recvtypes, F *comm, F *error),
        (sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm, error), PMPI_Comm_f2c(*comm))

#if STANDARD >= 22
FORTRAN_CARRIES(reduce_scatter_block,
        (F *sendbuf, F *recvbuf, F *recvcount, F *datatype, F *op, F *comm, F *error),
        (sendbuf, recvbuf, recvcount, datatype, op, comm, error), PMPI_Comm_f2c(*comm))
#endif

#if STANDARD >= 30
FORTRAN_CARRIES(ibarrier,
        (F *comm, F *request, F *error),
        (comm, request, error), PMPI_Comm_f2c(*comm))
FORTRAN_CARRIES(ibcast,
        (F *buffer, F *count, F *datatype, F *root, F *comm, F *request, F *error),
        (buffer, count, datatype, root, comm, request, error), PMPI_Comm_f2c(*comm))
FORTRAN_CARRIES(igather,
        (F *sendbuf, F *sendcount, F *sendtype, F *recvbuf, F *recvcount, F *recvtype, F *root, F *comm, F *request, F *error),
        (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm, request, error), PMPI_Comm_f2c(*comm))
FORTRAN_CARRIES(igatherv,
        (F *sendbuf, F *sendcount, F *sendtype, F *recvbuf, F *recvcounts, F *displs, F *recvtype, F *root, F *comm, F *request, F *error),
        (sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, root, comm, request, error), PMPI_Comm_f2c(*comm))
FORTRAN_CARRIES(iallgather,
        (F *sendbuf, F *sendcount, F *sendtype, F *recvbuf, F *recvcount, F *recvtype, F *comm, F *request, F *error),
        (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, request, error), PMPI_Comm_f2c(*comm))
FORTRAN_CARRIES(iallgatherv,
        (F *sendbuf, F *sendcount, F *sendtype, F *recvbuf, F *recvcounts, F *displs, F *recvtype, F *comm, F *request, F *error),
        (sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm, request, error), PMPI_Comm_f2c(*comm))
FORTRAN_CARRIES(iscatter,
        (F *sendbuf, F *sendcount, F *sendtype, F *recvbuf, F *recvcount, F *recvtype, F *root, F *comm, F *request, F *error),
        (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm, request, error), PMPI_Comm_f2c(*comm))
FORTRAN_CARRIES(iscatterv,
        (F *sendbuf, F *sendcounts, F *displs, F *sendtype, F *recvbuf, F *recvcount, F *recvtype, F *root, F *comm, F *request, F *error),
        (sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype, root, comm, request, error), PMPI_Comm_f2c(*comm))
FORTRAN_CARRIES(ialltoall,
        (F *sendbuf, F *sendcount, F *sendtype, F *recvbuf, F *recvcount, F *recvtype, F *comm, F *request, F *error),
        (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, request, error), PMPI_Comm_f2c(*comm))
FORTRAN_CARRIES(ialltoallv,
        (F *sendbuf, F *sendcounts, F *sdispls, F *sendtype, F *recvbuf, F *recvcounts, F *rdispls, F *recvtype, F *comm, F *request, F *error),
        (sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm, request, error), PMPI_Comm_f2c(*comm))
FORTRAN_CARRIES(ireduce,
        (F *sendbuf, F *recvbuf, F *count, F *datatype, F *op, F *root, F *comm, F *request, F *error),
        (sendbuf, recvbuf, count, datatype, op, root, comm, request, error), PMPI_Comm_f2c(*comm))
FORTRAN_CARRIES(iallreduce,
        (F *sendbuf, F *recvbuf, F *count, F *datatype, F *op, F *comm, F *request, F *error),
        (sendbuf, recvbuf, count, datatype, op, comm, request, error), PMPI_Comm_f2c(*comm))
FORTRAN_CARRIES(ireduce_scatter_block,
        (F *sendbuf, F *recvbuf, F *recvcount, F *datatype, F *op, F *comm, F *request, F *error),
        (sendbuf, recvbuf, recvcount, datatype, op, comm, request, error), PMPI_Comm_f2c(*comm))
FORTRAN_CARRIES(ireduce_scatter,
        (F *sendbuf, F *recvbuf, F *recvcounts, F *datatype, F *op, F *comm, F *request, F *error),
        (sendbuf, recvbuf, recvcounts, datatype, op, comm, request, error), PMPI_Comm_f2c(*comm))
FORTRAN_CARRIES(iscan,
        (F *sendbuf, F *recvbuf, F *count, F *datatype, F *op, F *comm, F *request, F *error),
        (sendbuf, recvbuf, count, datatype, op, comm, request, error), PMPI_Comm_f2c(*comm))
FORTRAN_CARRIES(iexscan,
        (F *sendbuf, F *recvbuf, F *count, F *datatype, F *op, F *comm, F *request, F *error),
        (sendbuf, recvbuf, count, datatype, op, comm, request, error), PMPI_Comm_f2c(*comm))
FORTRAN_CARRIES(neighbor_allgather,
        (F *sendbuf, F *sendcount, F *sendtype, F *recvbuf, F *recvcount, F *recvtype, F *comm, F *error),
        (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, error), PMPI_Comm_f2c(*comm))
FORTRAN_CARRIES(ineighbor_allgather,
        (F *sendbuf, F *sendcount, F *sendtype, F *recvbuf, F *recvcount, F *recvtype, F *comm, F *request, F *error),
        (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, request, error), PMPI_Comm_f2c(*comm))
FORTRAN_CARRIES(neighbor_allgatherv,
        (F *sendbuf, F *sendcount, F *sendtype, F *recvbuf, F *recvcounts, F *displs, F *recvtype, F *comm, F *error),
        (sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm, error), PMPI_Comm_f2c(*comm))
FORTRAN_CARRIES(ineighbor_allgatherv,
        (F *sendbuf, F *sendcount, F *sendtype, F *recvbuf, F *recvcounts, F *displs, F *recvtype, F *comm, F *request, F *error),
        (sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm, request, error), PMPI_Comm_f2c(*comm))
FORTRAN_CARRIES(neighbor_alltoall,
        (F *sendbuf, F *sendcount, F *sendtype, F *recvbuf, F *recvcount, F *recvtype, F *comm, F *error),
        (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, error), PMPI_Comm_f2c(*comm))
FORTRAN_CARRIES(ineighbor_alltoall,
        (F *sendbuf, F *sendcount, F *sendtype, F *recvbuf, F *recvcount, F *recvtype, F *comm, F *request, F *error),
        (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, request, error), PMPI_Comm_f2c(*comm))
FORTRAN_CARRIES(neighbor_alltoallv,
        (F *sendbuf, F *sendcounts, F *sdispls, F *sendtype, F *recvbuf, F *recvcounts, F *rdispls, F *recvtype, F *comm, F *error),
        (sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm, error), PMPI_Comm_f2c(*comm))
FORTRAN_CARRIES(ineighbor_alltoallv,
        (F *sendbuf, F *sendcounts, F *sdispls, F *sendtype, F *recvbuf, F *recvcounts, F *rdispls, F *recvtype, F *comm, F *request, F *error),
        (sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm, request, error), PMPI_Comm_f2c(*comm))
FORTRAN_CARRIES(mprobe,
        (F *source, F *tag, F *comm, F *message, F *status, F *error),
        (source, tag, comm, message, status, error), PMPI_Comm_f2c(*comm))
FORTRAN_CARRIES(improbe,
        (F *source, F *tag, F *comm, F *flag, F *message, F *status, F *error),
        (source, tag, comm, flag, message, status, error), PMPI_Comm_f2c(*comm))
FORTRAN_CARRIES(ialltoallw,
        (F *sendbuf, F *sendcounts, F *sdispls, F *sendtypes, F *recvbuf, F *recvcounts, F *rdispls, F *recvtypes, F *comm, F *request, F *error),
        (sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm, request, error), PMPI_Comm_f2c(*comm))
FORTRAN_CARRIES(neighbor_alltoallw,
        (F *sendbuf, F *sendcounts, F *sdispls, F *sendtypes, F *recvbuf, F *recvcounts, F *rdispls, F *recvtypes, F *comm, F *error),
        (sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm, error), PMPI_Comm_f2c(*comm))
FORTRAN_CARRIES(ineighbor_alltoallw,
        (F *sendbuf, F *sendcounts, F *sdispls, F *sendtypes, F *recvbuf, F *recvcounts, F *rdispls, F *recvtypes, F *comm, F *request, F *error),
        (sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm, request, error), PMPI_Comm_f2c(*comm))
#endif

#if STANDARD >= 40
FORTRAN_CARRIES(barrier_init,
        (F *comm, F *info, F *request, F *error),
        (comm, info, request, error), PMPI_Comm_f2c(*comm))
FORTRAN_CARRIES(bcast_init,
        (F *buffer, F *count, F *datatype, F *root, F *comm, F *info, F *request, F *error),
        (buffer, count, datatype, root, comm, info, request, error), PMPI_Comm_f2c(*comm))
FORTRAN_CARRIES(gather_init,
        (F *sendbuf, F *sendcount, F *sendtype, F *recvbuf, F *recvcount, F *recvtype, F *root, F *comm, F *info, F *request, F *error),
        (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm, info, request, error), PMPI_Comm_f2c(*comm))
FORTRAN_CARRIES(gatherv_init,
        (F *sendbuf, F *sendcount, F *sendtype, F *recvbuf, F *recvcounts, F *displs, F *recvtype, F *root, F *comm, F *info, F *request, F *error),
        (sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, root, comm, info, request, error), PMPI_Comm_f2c(*comm))
FORTRAN_CARRIES(allgather_init,
        (F *sendbuf, F *sendcount, F *sendtype, F *recvbuf, F *recvcount, F *recvtype, F *comm, F *info, F *request, F *error),
        (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, info, request, error), PMPI_Comm_f2c(*comm))
FORTRAN_CARRIES(allgatherv_init,
        (F *sendbuf, F *sendcount, F *sendtype, F *recvbuf, F *recvcounts, F *displs, F *recvtype, F *comm, F *info, F *request, F *error),
        (sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm, info, request, error), PMPI_Comm_f2c(*comm))
FORTRAN_CARRIES(scatter_init,
        (F *sendbuf, F *sendcount, F *sendtype, F *recvbuf, F *recvcount, F *recvtype, F *root, F *comm, F *info, F *request, F *error),
        (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm, info, request, error), PMPI_Comm_f2c(*comm))
FORTRAN_CARRIES(scatterv_init,
        (F *sendbuf, F *sendcounts, F *displs, F *sendtype, F *recvbuf, F *recvcount, F *recvtype, F *root, F *comm, F *info, F *request, F *error),
        (sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype, root, comm, info, request, error), PMPI_Comm_f2c(*comm))
FORTRAN_CARRIES(alltoall_init,
        (F *sendbuf, F *sendcount, F *sendtype, F *recvbuf, F *recvcount, F *recvtype, F *comm, F *info, F *request, F *error),
        (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, info, request, error), PMPI_Comm_f2c(*comm))
FORTRAN_CARRIES(alltoallv_init,
        (F *sendbuf, F *sendcounts, F *sdispls, F *sendtype, F *recvbuf, F *recvcounts, F *rdispls, F *recvtype, F *comm, F *info, F *request, F *error),
        (sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm, info, request, error), PMPI_Comm_f2c(*comm))
FORTRAN_CARRIES(reduce_init,
        (F *sendbuf, F *recvbuf, F *count, F *datatype, F *op, F *root, F *comm, F *info, F *request, F *error),
        (sendbuf, recvbuf, count, datatype, op, root, comm, info, request, error), PMPI_Comm_f2c(*comm))
FORTRAN_CARRIES(allreduce_init,
        (F *sendbuf, F *recvbuf, F *count, F *datatype, F *op, F *comm, F *info, F *request, F *error),
        (sendbuf, recvbuf, count, datatype, op, comm, info, request, error), PMPI_Comm_f2c(*comm))
FORTRAN_CARRIES(reduce_scatter_block_init,
        (F *sendbuf, F *recvbuf, F *recvcount, F *datatype, F *op, F *comm, F *info, F *request, F *error),
        (sendbuf, recvbuf, recvcount, datatype, op, comm, info, request, error), PMPI_Comm_f2c(*comm))
FORTRAN_CARRIES(reduce_scatter_init,
        (F *sendbuf, F *recvbuf, F *recvcounts, F *datatype, F *op, F *comm, F *info, F *request, F *error),
        (sendbuf, recvbuf, recvcounts, datatype, op, comm, info, request, error), PMPI_Comm_f2c(*comm))
FORTRAN_CARRIES(scan_init,
        (F *sendbuf, F *recvbuf, F *count, F *datatype, F *op, F *comm, F *info, F *request, F *error),
        (sendbuf, recvbuf, count, datatype, op, comm, info, request, error), PMPI_Comm_f2c(*comm))
FORTRAN_CARRIES(exscan_init,
        (F *sendbuf, F *recvbuf, F *count, F *datatype, F *op, F *comm, F *info, F *request, F *error),
        (sendbuf, recvbuf, count, datatype, op, comm, info, request, error), PMPI_Comm_f2c(*comm))
FORTRAN_CARRIES(neighbor_allgather_init,
        (F *sendbuf, F *sendcount, F *sendtype, F *recvbuf, F *recvcount, F *recvtype, F *comm, F *info, F *request, F *error),
        (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, info, request, error), PMPI_Comm_f2c(*comm))
FORTRAN_CARRIES(neighbor_allgatherv_init,
        (F *sendbuf, F *sendcount, F *sendtype, F *recvbuf, F *recvcounts, F *displs, F *recvtype, F *comm, F *info, F *request, F *error),
        (sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm, info, request, error), PMPI_Comm_f2c(*comm))
FORTRAN_CARRIES(neighbor_alltoall_init,
        (F *sendbuf, F *sendcount, F *sendtype, F *recvbuf, F *recvcount, F *recvtype, F *comm, F *info, F *request, F *error),
        (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, info, request, error), PMPI_Comm_f2c(*comm))
FORTRAN_CARRIES(neighbor_alltoallv_init,
        (F *sendbuf, F *sendcounts, F *sdispls, F *sendtype, F *recvbuf, F *recvcounts, F *rdispls, F *recvtype, F *comm, F *info, F *request, F *error),
        (sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm, info, request, error), PMPI_Comm_f2c(*comm))
FORTRAN_CARRIES(isendrecv,
        (F *sendbuf, F *sendcount, F *sendtype, F *dest, F *sendtag, F *recvbuf, F *recvcount, F *recvtype, F *source, F *recvtag, F *comm, F *request, F *error),
        (sendbuf, sendcount, sendtype, dest, sendtag, recvbuf, recvcount, recvtype, source, recvtag, comm, request, error), PMPI_Comm_f2c(*comm))
FORTRAN_CARRIES(isendrecv_replace,
        (F *buf, F *count, F *datatype, F *dest, F *sendtag, F *source, F *recvtag, F *comm, F *request, F *error),
        (buf, count, datatype, dest, sendtag, source, recvtag, comm, request, error), PMPI_Comm_f2c(*comm))
FORTRAN_CARRIES(psend_init,
        (F *buf, F *partitions, F *count, F *datatype, F *dest, F *tag, F *comm, F *info, F *request, F *error),
        (buf, partitions, count, datatype, dest, tag, comm, info, request, error), PMPI_Comm_f2c(*comm))
FORTRAN_CARRIES(precv_init,
        (F *buf, F *partitions, F *count, F *datatype, F *source, F *tag, F *comm, F *info, F *request, F *error),
        (buf, partitions, count, datatype, source, tag, comm, info, request, error), PMPI_Comm_f2c(*comm))
FORTRAN_CARRIES(alltoallw_init,
        (F *sendbuf, F *sendcounts, F *sdispls, F *sendtypes, F *recvbuf, F *recvcounts, F *rdispls, F *recvtypes, F *comm, F *info, F *request, F *error),
        (sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm, info, request, error), PMPI_Comm_f2c(*comm))
FORTRAN_CARRIES(neighbor_alltoallw_init,
        (F *sendbuf, F *sendcounts, F *sdispls, F *sendtypes, F *recvbuf, F *recvcounts, F *rdispls, F *recvtypes, F *comm, F *info, F *request, F *error),
        (sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm, info, request, error), PMPI_Comm_f2c(*comm))
#endif

/* Makes communicators 2, 3, ... and uses some of them: see usedByRank1. PROFILED: in a way that the recorder does not see. */
#include <mpi.h>
#include <stdio.h>

static MPI_Comm dup_of(MPI_Comm comm)
{
	MPI_Comm made;
	MPI_Comm_dup(comm, &made);
	return made;
}

int main(int argc, char **argv)
{
	int rank, flag, x = 0;
	MPI_Comm comm;
	MPI_Request request;
	MPI_Group group;
	MPI_Win window;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	comm = dup_of(MPI_COMM_WORLD); /* 2: of rank 0 and 1 */
	if (rank == 0)
		MPI_Send(&x, 1, MPI_INT, 1, 0, comm);
	else if (rank == 1)
		MPI_Recv(&x, 1, MPI_INT, 0, 0, comm, MPI_STATUS_IGNORE);
	MPI_Bcast(&x, 1, MPI_INT, 0, dup_of(MPI_COMM_WORLD)); /* 3 */
	comm = dup_of(MPI_COMM_WORLD);                        /* 4: a parent */
	comm = dup_of(comm);                                  /* 5 */
	for (int i = 0; i < 3; i++) {
		MPI_Ibarrier(comm, &request);
		MPI_Wait(&request, MPI_STATUS_IGNORE);
	}
	MPI_Sendrecv_replace(&x, 1, MPI_INT, rank, 0, rank, 0, dup_of(MPI_COMM_WORLD), MPI_STATUS_IGNORE); /* 6 */
	MPI_Iprobe(0, 0, dup_of(MPI_COMM_WORLD), &flag, MPI_STATUS_IGNORE);                               /* 7 */
	for (int i = 0; i < 3; i++) { /* 8, 9, 10: the library may give one handle for all of them */
		comm = dup_of(MPI_COMM_SELF);
		if (i < 2)
			MPI_Barrier(comm);
		MPI_Comm_free(&comm);
	}
	MPI_Comm_group(dup_of(MPI_COMM_WORLD), &group); /* 11 */
	MPI_Win_create(&x, sizeof x, 1, MPI_INFO_NULL, dup_of(MPI_COMM_WORLD), &window); /* 12 */
	MPI_Win_free(&window);
	comm = dup_of(MPI_COMM_WORLD); /* 13: asked for its size alone */
	MPI_Comm_size(comm, &x);
#ifdef PROFILED
	PMPI_Barrier(comm);
#endif
	return MPI_Finalize();
}

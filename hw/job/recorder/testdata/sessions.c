/*
 * Four processes with sessions alone; with the argument "init" they call MPI_Init besides. MPICH 4.0 makes communicators
 * of other groups than mpi://SELF only after one of all processes.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void work(MPI_Group world, const char *how)
{
	MPI_Group even;
	MPI_Comm all, some;
	int rank, nine = 9, range[1][3] = {{0, 2, 2}};
	MPI_Group_rank(world, &rank);
	MPI_Comm_create_from_group(world, "all", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &all);
	MPI_Group_range_incl(world, 1, range, &even);
	if (rank % 2 == 0) {
		MPI_Comm_create_from_group(even, "even", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &some);
		MPI_Comm_free(&some);
	}
	if (strcmp(how, "error") == 0)
		MPI_Cart_create(all, 1, &nine, &nine, 0, &some); /* of nine processes, where four are */
	if (strcmp(how, "exit") == 0)
		exit(0);
	MPI_Group_free(&even);
	MPI_Comm_free(&all);
}

int main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "";
	MPI_Session session;
	MPI_Group world, self;
	MPI_Comm alone;
	MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
	MPI_Group_from_session_pset(session, "mpi://SELF", &self);
	MPI_Comm_create_from_group(self, "alone", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &alone);
	if (strcmp(how, "init") == 0)
		MPI_Init(&argc, &argv);
	if (strcmp(how, "alone") != 0) {
		MPI_Group_from_session_pset(session, "mpi://WORLD", &world);
		work(world, how);
		MPI_Group_free(&world);
	}
	MPI_Comm_free(&alone);
	MPI_Group_free(&self);
	MPI_Session_finalize(&session);
	if (strcmp(how, "init") == 0)
		MPI_Finalize();
	printf("one is done\n");
	return 0;
}

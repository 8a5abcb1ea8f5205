/* Makes communicators in a loop, and ends as its argument says. */
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void leak(int times)
{
	MPI_Comm made;
	for (int i = 0; i < times; i++)
		MPI_Comm_dup(MPI_COMM_WORLD, &made);
}

int main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "";
	int rank;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	leak(20);
	if (strcmp(how, "exit") == 0)
		exit(0);
	if (strcmp(how, "_exit") == 0)
		_exit(0);
	if (strcmp(how, "leak") == 0)
		leak(100000); /* until the library gives up */
	if (strcmp(how, "all abort") == 0)
		MPI_Abort(MPI_COMM_WORLD, 3);
	if (rank == 1 && strcmp(how, "abort") == 0)
		MPI_Abort(MPI_COMM_WORLD, 3);
	if (rank == 1 && strcmp(how, "term") == 0)
		kill(getpid(), SIGTERM);
	if (rank == 1 && strcmp(how, "fault") == 0)
		*(volatile int *)NULL = 1;
	if (rank == 1 && strcmp(how, "killed") == 0)
		kill(getpid(), SIGKILL);
	MPI_Barrier(MPI_COMM_WORLD);
	printf("rank %d is done\n", rank);
	return MPI_Finalize();
}

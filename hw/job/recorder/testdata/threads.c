/* Three threads of each process make a hundred communicators each, all at once. */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>

static MPI_Comm base[3];

static void *work(void *which)
{
	MPI_Comm *on = which, made;
	for (int i = 0; i < 100; i++) {
		MPI_Comm_dup(*on, &made);
		MPI_Comm_free(&made);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t threads[3];
	int provided;
	MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
	if (provided != MPI_THREAD_MULTIPLE)
		printf("no threads\n");
	for (int i = 0; i < 3; i++)
		MPI_Comm_dup(MPI_COMM_SELF, &base[i]);
	for (int i = 0; provided == MPI_THREAD_MULTIPLE && i < 3; i++)
		pthread_create(&threads[i], NULL, work, &base[i]);
	for (int i = 0; provided == MPI_THREAD_MULTIPLE && i < 3; i++)
		pthread_join(threads[i], NULL);
	return MPI_Finalize();
}

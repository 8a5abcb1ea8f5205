/*
 * What recording costs: a million times, or as often as the argument says, MPI_Comm_dup and MPI_Comm_free of the
 * communicator of one process, MPI_Comm_split of it, and a message on it, which is MPI_Isend, MPI_Recv and MPI_Wait.
 * Prints nanoseconds a call, of the fastest
 * hundred calls in a row, so that other work of the machine does not count. Run it with the recorder and without.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROW = 100 };

static void measure(int calls, int split)
{
	double make_time = 1, free_time = 1;
	MPI_Comm list[ROW];
	for (int done = 0; done < calls; done += ROW) {
		double start = MPI_Wtime();
		for (int i = 0; i < ROW; i++)
			if (split)
				MPI_Comm_split(MPI_COMM_SELF, 0, 0, &list[i]);
			else
				MPI_Comm_dup(MPI_COMM_SELF, &list[i]);
		double middle = MPI_Wtime();
		for (int i = 0; i < ROW; i++)
			MPI_Comm_free(&list[i]);
		double end = MPI_Wtime();
		make_time = middle - start < make_time ? middle - start : make_time;
		free_time = end - middle < free_time ? end - middle : free_time;
	}
	printf("%s %.0f ns, MPI_Comm_free %.0f ns\n", split ? "MPI_Comm_split" : "MPI_Comm_dup", make_time * 1e9 / ROW,
	       free_time * 1e9 / ROW);
}

static void message(int calls)
{
	double least = 1;
	MPI_Comm comm;
	MPI_Comm_dup(MPI_COMM_SELF, &comm);
	for (int done = 0; done < calls; done += ROW) {
		double start = MPI_Wtime();
		for (int i = 0, sent = 0, got; i < ROW; i++) {
			MPI_Request request;
			MPI_Isend(&sent, 1, MPI_INT, 0, 0, comm, &request);
			MPI_Recv(&got, 1, MPI_INT, 0, 0, comm, MPI_STATUS_IGNORE);
			MPI_Wait(&request, MPI_STATUS_IGNORE);
		}
		double end = MPI_Wtime();
		least = end - start < least ? end - start : least;
	}
	MPI_Comm_free(&comm);
	printf("a message %.0f ns\n", least * 1e9 / ROW);
}

int main(int argc, char **argv)
{
	int calls = argc > 1 ? atoi(argv[1]) : 1000000;
	MPI_Init(&argc, &argv);
	measure(calls, 0);
	measure(calls, 1);
	message(calls);
	MPI_Finalize();
	return 0;
}

/* A library between a program and MPI, which duplicates the communicator three functions deep. */
#include <mpi.h>

void open_store(MPI_Comm comm);

static __attribute__((noinline)) int duplicate(MPI_Comm comm)
{
	MPI_Comm own;
	return MPI_Comm_dup(comm, &own) + 1;
}

static __attribute__((noinline)) int open_driver(MPI_Comm comm) { return duplicate(comm) + 1; }

void open_store(MPI_Comm comm) { open_driver(comm); }

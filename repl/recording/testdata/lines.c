/* A program and, with -DLIBRARY, a library of it: each makes a communicator. */
#include <mpi.h>

void in_library(MPI_Comm *made);

#ifdef LIBRARY
void in_library(MPI_Comm *made)
{
	MPI_Comm_dup(MPI_COMM_WORLD, made);
}
#else
int main(void)
{
	MPI_Comm made, other;
	MPI_Init(0, 0);
	in_library(&made);
	MPI_Comm_dup(made, &other);
	return MPI_Finalize();
}
#endif

// A class template makes communicators for several callers, one of which does not free them.
#include <mpi.h>

template <class T> struct Grid {
	MPI_Comm comm;
	explicit Grid(T color) { MPI_Comm_split(MPI_COMM_WORLD, color, 0, &comm); }
	void free() { MPI_Comm_free(&comm); }
};

struct Solver {
	Grid<int> grid{0};
};

static void good()
{
	Solver s;
	s.grid.free();
}

static void bad()
{
	Solver s; // leak: Comm_split
}

int main(int argc, char **argv)
{
	MPI_Init(&argc, &argv);
	for (int i = 0; i < 15; i++) {
		good();
		bad();
	}
	MPI_Finalize();
}

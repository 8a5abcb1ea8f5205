/* ---- Calls of C and C++ ---- */

#define HERE (uintptr_t)__builtin_return_address(0), (uintptr_t)__builtin_frame_address(0)

/* TAKE looks at arguments before the call, GIVE at what it gave. */
#define WRAP(NAME, PARAMETERS, ARGUMENTS, TAKE, GIVE) \
	int MPI_##NAME PARAMETERS \
	{ \
		struct call c; \
		if (!begin(&c, "MPI_" #NAME, HERE)) \
			return PMPI_##NAME ARGUMENTS; \
		TAKE; \
		enter(&c); \
		int error = PMPI_##NAME ARGUMENTS; \
		leave(&c, error); \
		GIVE; \
		finish(&c); \
		return error; \
	}

/* MPI_Init and MPI_Finalize are not recorded, but something is done before or after them. */
#define AROUND(NAME, PARAMETERS, ARGUMENTS, BEFORE, AFTER) \
	int MPI_##NAME PARAMETERS \
	{ \
		if (inside) \
			return PMPI_##NAME ARGUMENTS; \
		BEFORE; \
		inside = 1; \
		int error = PMPI_##NAME ARGUMENTS; \
		inside = 0; \
		if (error == MPI_SUCCESS) { \
			AFTER; \
		} \
		return error; \
	}

AROUND(Init, (int *argc, char ***argv), (argc, argv), before_init(), start())
AROUND(Init_thread, (int *argc, char ***argv, int required, int *provided), (argc, argv, required, provided),
       before_init(), start())
AROUND(Finalize, (void), (), stop(), )

int MPI_Abort(MPI_Comm comm, int code)
{
	stop_alone("abort", 0);
	return PMPI_Abort(comm, code);
}

/* How many dimensions the grid of a communicator has. */
static int sizes_of(MPI_Comm comm)
{
	int type = MPI_UNDEFINED, sizes = 0;
	inside = 1;
	if (comm != MPI_COMM_NULL && PMPI_Topo_test(comm, &type) == MPI_SUCCESS && type == MPI_CART)
		PMPI_Cartdim_get(comm, &sizes);
	inside = 0;
	return sizes;
}


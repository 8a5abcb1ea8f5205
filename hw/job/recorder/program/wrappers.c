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

int MPI_Init(int *argc, char ***argv)
{
	if (inside)
		return PMPI_Init(argc, argv);
	before_init();
	inside = 1;
	int error = PMPI_Init(argc, argv);
	inside = 0;
	if (error == MPI_SUCCESS)
		start();
	return error;
}

int MPI_Init_thread(int *argc, char ***argv, int required, int *provided)
{
	if (inside)
		return PMPI_Init_thread(argc, argv, required, provided);
	before_init();
	inside = 1;
	int error = PMPI_Init_thread(argc, argv, required, provided);
	inside = 0;
	if (error == MPI_SUCCESS)
		start();
	return error;
}

int MPI_Finalize(void)
{
	if (inside)
		return PMPI_Finalize();
	stop();
	inside = 1;
	int error = PMPI_Finalize();
	inside = 0;
	return error;
}

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

/* The call whose arguments are lists of commands. The others are in wrapped.c. */
WRAP(Comm_spawn_multiple, (int count, char *commands[], char **argvs[], CONST int maxprocs[],
     CONST MPI_Info infos[], int root, MPI_Comm comm, MPI_Comm *newcomm, int errors[]),
     (count, commands, argvs, maxprocs, infos, root, comm, newcomm, errors),
     take_on(&c, comm); int is_root = c.on.rank == root && count > 0;
     take_command(&c, root, is_root ? commands[0] : NULL, (size_t)-1);
     take_int(&c, "maxprocs", is_root ? sum(maxprocs, count) : 0); take_int(&c, "root", root),
     give_comm(&c, *newcomm))

